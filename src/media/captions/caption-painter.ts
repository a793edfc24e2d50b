import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { installedFile } from '../../core/disk.ts'
import { ServiceError } from '../../core/errors.ts'
import { FontError, type FontMetrics, readFont, withFallback } from '../../core/font-file.ts'
import type { CaptionStrip, DrawnCaption } from './caption-layout.ts'

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

/** Reads the font of captions, once, and puts the caller's font, if there is one, before it. Throws `processing_failed` if that file is no font. */
export async function captionFont(ownFontPath?: string): Promise<FontMetrics> {
  metrics ??= readFile(fontPath).then(readFont)
  if (ownFontPath === undefined) return metrics
  try {
    return withFallback(readFont(await readFile(ownFontPath)), await metrics)
  } catch (error) {
    throw error instanceof FontError ? unusableFont(error) : error
  }
}

function unusableFont(cause: unknown): ServiceError {
  return new ServiceError(
    'processing_failed',
    'The font of the brand cannot be drawn. Give the brand another one, or leave settings.brand out.',
    { cause },
  )
}

/** A caption takes a tenth of a second, on a busy machine seconds. A font of outlines without end takes for ever. */
const ownFontSeconds = 30

/** Compiled services have it as a file of its own; tests run the sources, for which a thread must load tsx by itself. */
const isCompiled = import.meta.url.endsWith('.js')

function startThread(strip: CaptionStrip, ownFontPath: string | undefined): Worker {
  // It gets none of the worker's secrets.
  const options = {
    workerData: { fontPath, ownFontPath, strip },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  }
  if (isCompiled) return new Worker(installedFile('src/media/captions/paint-thread.js'), options)
  const entry = pathToFileURL(installedFile('src/media/captions/paint-thread.ts'))
  return new Worker(`import('tsx/esm/api').then(({ register }) => { register(); return import('${entry.href}') })`, {
    ...options,
    eval: true,
  })
}

/**
 * Starts a thread that paints captions for one film, one after another, in a font of the caller's if one is given. Painting rejects as soon
 * as the signal aborts, and with `processing_failed` for a font that cannot be drawn within its time.
 */
export function startCaptionPainter(strip: CaptionStrip, signal: AbortSignal, ownFontPath?: string): CaptionPainter {
  const thread = startThread(strip, ownFontPath)
  const failed = new AbortController()
  // Also between two captions, where an error that nobody awaits would end the process.
  thread.on('error', (error) => failed.abort(error))
  const either = AbortSignal.any([signal, failed.signal])
  const pixels = z.instanceof(Uint8Array).refine(({ length }) => length === strip.width * strip.height * 4)
  return {
    paint: async (caption) => {
      const late = ownFontPath === undefined ? [] : [AbortSignal.timeout(ownFontSeconds * 1000)]
      const answered = once(thread, 'message', { signal: AbortSignal.any([either, ...late]) })
      thread.postMessage(caption)
      try {
        const given: unknown[] = await answered
        return pixels.parse(given[0])
      } catch (error) {
        signal.throwIfAborted()
        if (ownFontPath !== undefined) throw unusableFont(failed.signal.aborted ? failed.signal.reason : error)
        either.throwIfAborted()
        throw error
      }
    },
    close: async () => {
      await thread.terminate()
    },
  }
}
