import { stat } from 'node:fs/promises'
import type { Ffmpeg } from '../core/ffmpeg.ts'
import { errorTypeOf } from './error-type.ts'
import type { Metrics } from './metrics.ts'
import type { Span, Tracing } from './tracing.ts'

/** The same tools, with a counter and a span for each run. The span has facts of the output, never of the input. */
export function observeFfmpeg(ffmpeg: Ffmpeg, { metrics, tracing }: { metrics: Metrics; tracing: Tracing }): Ffmpeg {
  const observe = <T>(program: 'ffmpeg' | 'ffprobe', run: (span: Pick<Span, 'set'>) => Promise<T>): Promise<T> =>
    tracing.inSpan({ name: program, attributes: { 'process.executable.name': program } }, async (span) => {
      try {
        const result = await run(span)
        metrics.ffmpegRuns.inc({ program, outcome: 'ok' })
        return result
      } catch (error) {
        metrics.ffmpegRuns.inc({ program, outcome: errorTypeOf(error) })
        throw error
      }
    })

  return {
    maxPixels: ffmpeg.maxPixels,
    probe: (job) => observe('ffprobe', () => ffmpeg.probe(job)),
    run: (job) =>
      observe('ffmpeg', async (span) => {
        const { output, onProgress } = job
        let bytes = 0
        let seconds: number | undefined
        const outcome = await ffmpeg.run({
          ...job,
          ...(typeof output === 'function'
            ? {
                output: (chunk) => {
                  bytes += chunk.length
                  return output(chunk)
                },
              }
            : {}),
          ...(onProgress
            ? {
                onProgress: (made) => {
                  seconds = made
                  onProgress(made)
                },
              }
            : {}),
        })
        const size = typeof output === 'string' ? await sizeOf(output) : bytes
        span.set({ 'media_timeline.output_bytes': size, 'media_timeline.output_seconds': seconds })
        return outcome
      }),
  }
}

/** Undefined if the output is not one file. */
async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
}
