import type { z } from 'zod'
import { toAmplitude } from '../../core/level.ts'
import { clampTo, complement, dropShorterThan, intersect, pad, type Segment } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseTracks } from '../../media/choose-tracks.ts'
import { decodeAudio } from '../../media/pcm.ts'
import { createSilenceScanner } from '../../media/silence-scanner.ts'
import type { RunContext } from '../define-endpoint.ts'
import { resolveWindow } from '../job-window.ts'
import { presentSegment, refuseTooMany, totalSeconds } from '../present-segment.ts'
import type { silenceSettings } from './declaration.ts'

type Settings = z.output<typeof silenceSettings>

export async function run({ media, settings, ffmpeg, signal, reportProgress, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, media.info.durationSeconds)
  const tracks = chooseTracks(media.info, settings.audio_track)
  let silences: Segment[] = [window]
  for (const [done, track] of tracks.entries()) {
    const scanner = createSilenceScanner({
      ...track,
      amplitude: toAmplitude(settings.threshold),
      minSilenceSeconds: settings.min_silence_seconds,
    })
    await decodeAudio({
      input: { path: media.path, format: media.info.format },
      trackIndex: track.index,
      track,
      window,
      ffmpeg,
      signal,
      onSamples: scanner.push,
      onProgress: (fraction) => reportProgress((done + fraction) / tracks.length),
    })
    const found = scanner.finish().map(({ start, end }) => ({ start: window.start + start, end: window.start + end }))
    // Several tracks are silent where each of them is.
    silences = intersect(silences, found)
  }
  silences = dropShorterThan(clampTo(silences, window), settings.min_silence_seconds - 0.001)
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
