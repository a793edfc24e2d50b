import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { installedFile } from '../../core/disk.ts'
import { type CaptionStrip, type DrawnCaption, type FontMetrics, readFontMetrics } from './caption-layout.ts'

export interface CaptionPainter {
  /** The strip with the text, four bytes a pixel. */
  paint(caption: DrawnCaption): Promise<Uint8Array>
  close(): Promise<void>
}

const packages = createRequire(import.meta.url)
const fontPath = path.join(
  path.dirname(packages.resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
  'DejaVuSans-Bold.ttf',
)

let metrics: Promise<FontMetrics> | undefined

/** Of the font of captions, which is read once. */
export function captionFont(): Promise<FontMetrics> {
  metrics ??= readFile(fontPath).then(readFontMetrics)
  return metrics
}

/** Compiled services have it as a file of its own; tests run the sources, for which a thread must load tsx by itself. */
const isCompiled = import.meta.url.endsWith('.js')

function startThread(strip: CaptionStrip): Worker {
  // It gets none of the worker's secrets.
  const options = { workerData: { fontPath, strip }, env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } }
  if (isCompiled) return new Worker(installedFile('src/media/captions/paint-thread.js'), options)
  const entry = pathToFileURL(installedFile('src/media/captions/paint-thread.ts'))
  return new Worker(`import('tsx/esm/api').then(({ register }) => { register(); return import('${entry.href}') })`, {
    ...options,
    eval: true,
  })
}

/** Starts a thread that paints captions for one film, one after another. Painting rejects as soon as the signal aborts. */
export function startCaptionPainter(strip: CaptionStrip, signal: AbortSignal): CaptionPainter {
  const thread = startThread(strip)
  const failed = new AbortController()
  // Also between two captions, where an error that nobody awaits would end the process.
  thread.on('error', (error) => failed.abort(error))
  const either = AbortSignal.any([signal, failed.signal])
  const pixels = z.instanceof(Uint8Array).refine(({ length }) => length === strip.width * strip.height * 4)
  return {
    paint: async (caption) => {
      const answered = once(thread, 'message', { signal: either })
      thread.postMessage(caption)
      try {
        const given: unknown[] = await answered
        return pixels.parse(given[0])
      } catch (error) {
        either.throwIfAborted()
        throw error
      }
    },
    close: async () => {
      await thread.terminate()
    },
  }
}
