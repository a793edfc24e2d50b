import { mapOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import { durationOf } from '../../core/segments.ts'
import type { TextLine } from '../../models/read-text/text-lines.ts'
import type { AnalyseInput } from '../analyses/track-analyses.ts'
import { sourceTracks } from '../inspect/tracks.ts'
import { decodeChanges, type ShownFrame } from './decode-changes.ts'
import { assertShortLeads } from './lead-limit.ts'
import { mergeReadings } from './merge-readings.ts'
import type { ScreenText } from './screen-text.ts'
import { createTextReader } from './text-reader.ts'

/** Measured: with 640, small text is lost, and with more, reading takes longer and finds hardly more. */
const longestSide = 960

/** Reads the text on the screen in a window, with the times when it appears and disappears. */
export async function readScreen({ window, onProgress, ...input }: AnalyseInput): Promise<ScreenText> {
  const { media, ffmpeg, models, cores, signal } = input
  const { video, ...tracks } = await sourceTracks(await media.open(), media.info.format, ffmpeg, signal)
  if (!video) throw new ServiceError('no_video_track')
  const readAll = (frames: readonly ShownFrame[]): Promise<TextLine[][]> =>
    cores.borrow(frames.length - 1, (borrowed) =>
      mapOrAbort(signal, { items: frames, concurrency: 1 + borrowed }, ({ width, height, rgb }) =>
        models.run('read-text', { width, height, rgb }),
      ),
    )
  const leads = { moments: [window.start], billedSeconds: durationOf(window) }
  await assertShortLeads({ tracks: { ...tracks, video }, video, ffmpeg, signal }, leads)
  const reader = createTextReader({ window, readAll })
  const { decodeErrors } = await decodeChanges({
    ...{ tracks: { ...tracks, video }, window, longestSide, ffmpeg, signal },
    onFrame: async (frame) => {
      await reader.add(frame)
      onProgress((frame.seconds - window.start) / durationOf(window))
    },
  })
  const { readings, framesRead, gapSeconds } = await reader.end()
  const endSeconds = Math.min(window.end, video.endSeconds)
  return { lines: await mergeReadings(readings, endSeconds), framesRead, gapSeconds, decodeErrors }
}
