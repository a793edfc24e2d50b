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

function unusableFont(cause: unknown, why = 'cannot be drawn'): ServiceError {
  const message = `The font of the brand ${why}. Give the brand another one, or leave settings.brand out.`
  return new ServiceError('processing_failed', message, { cause })
}

/** A font of the caller's. */
export interface OwnFont {
  readonly path: string
  /** For painting in it. All clips of a job share them, as a font of outlines without end takes for ever for each caption. */
  secondsLeft: number
}

/** The most for one caption, and what a job has for its first ones. */
const ownFontSeconds = 30
/** A caption takes a tenth of a second, on a busy machine seconds. */
const secondsForEach = 2

export function ownFont(path: string): OwnFont {
  return { path, secondsLeft: ownFontSeconds }
}

/** Gives the font time for more captions. */
export function allowCaptions(font: OwnFont | undefined, count: number): void {
  if (font) font.secondsLeft += secondsForEach * count
}

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
export function startCaptionPainter(strip: CaptionStrip, signal: AbortSignal, font?: OwnFont): CaptionPainter {
  const thread = startThread(strip, font?.path)
  const failed = new AbortController()
  // Also between two captions, where an error that nobody awaits would end the process.
  thread.on('error', (error) => failed.abort(error))
  const either = AbortSignal.any([signal, failed.signal])
  const pixels = z.instanceof(Uint8Array).refine(({ length }) => length === strip.width * strip.height * 4)
  // Before it reads the caller's font. Its start takes seconds on a busy machine.
  const started = once(thread, 'message', { signal: either })
  // Also of a painter that paints nothing.
  started.catch(() => {})
  const ask = async (caption: DrawnCaption, until: AbortSignal) => {
    const answered = once(thread, 'message', { signal: until })
    thread.postMessage(caption)
    const given: unknown[] = await answered
    return pixels.parse(given[0])
  }
  const paintIn = async (own: OwnFont, caption: DrawnCaption) => {
    const late = AbortSignal.timeout(Math.ceil(1000 * Math.max(0, Math.min(ownFontSeconds, own.secondsLeft))))
    const began = performance.now()
    try {
      return await ask(caption, AbortSignal.any([either, late]))
    } catch (error) {
      signal.throwIfAborted()
      const cause: unknown = failed.signal.aborted ? failed.signal.reason : error
      throw unusableFont(cause, late.aborted ? 'is too complex to draw captions in it' : undefined)
    } finally {
      own.secondsLeft -= (performance.now() - began) / 1000
    }
  }
  return {
    paint: async (caption) => {
      try {
        await started
        if (!font) return await ask(caption, either)
      } catch (error) {
        signal.throwIfAborted()
        either.throwIfAborted()
        throw error
      }
      return paintIn(font, caption)
    },
    close: async () => {
      await thread.terminate()
    },
  }
}
