import type { z } from 'zod'
import { toAmplitude } from '../../core/level.ts'
import { complement, dropShorterThan, intersect, pad, shift } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { scanTracks } from '../../media/scan-tracks.ts'
import { createSilenceScanner } from '../../media/silence-scanner.ts'
import type { RunContext } from '../define-endpoint.ts'
import { resolveWindow } from '../job-window.ts'
import { presentSegment, refuseTooMany, totalSeconds } from '../present-segment.ts'
import type { silenceSettings } from './declaration.ts'

type Settings = z.output<typeof silenceSettings>

export async function run({ media, settings, ffmpeg, signal, reportProgress, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, media.info.durationSeconds)
  const amplitude = toAmplitude(settings.threshold)
  const minSilenceSeconds = settings.min_silence_seconds
  const quiet = await scanTracks(
    { media, choice: settings.audio_track, window, ffmpeg, signal, reportProgress },
    (track) => createSilenceScanner({ ...track, amplitude, minSilenceSeconds }),
  )
  // Several tracks are silent where each of them is.
  const inWindow = quiet.map((found) => shift(found, window.start)).reduce(intersect, [window])
  const silences = dropShorterThan(inWindow, minSilenceSeconds - 0.001)
  const sounding = pad(complement(silences, window), settings.padding_seconds, window)
  const segments = dropShorterThan(sounding, settings.min_segment_seconds)
  refuseTooMany(silences.length, 'Raise min_silence_seconds')
  return {
    result: {
      media_seconds: roundToMillisecond(media.info.durationSeconds),
      silences: silences.map(presentSegment),
      segments: segments.map(presentSegment),
      total_silence_seconds: totalSeconds(silences),
      total_segment_seconds: totalSeconds(segments),
    },
    files: [],
    billedMilliseconds: Math.ceil((window.end - window.start) * 1000 - 1e-6),
  }
}
