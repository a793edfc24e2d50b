import { writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { toAmplitude, toDbfs } from '../../core/media.ts'
import { wholeMilliseconds } from '../../core/money.ts'
import { complement, dropShorterThan, intersect, pad, roundingSeconds } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { getTrackEnvelopes } from '../../media/sound/envelopes.ts'
import { findSilences } from '../../media/sound/silences.ts'
import { drawWaveform } from '../../media/sound/waveform-svg.ts'
import {
  assertSegmentCount,
  presentPreview,
  presentSegment,
  previewPath,
  toHundredths,
  totalSeconds,
  warnOfDamage,
} from '../format.ts'
import { resolveWindow } from '../job-window.ts'
import type { RunContext } from '../run-contract.ts'
import type { silenceSettings } from './declaration.ts'

type Settings = z.output<typeof silenceSettings>

export async function runDetectSilence({
  media: { info },
  settings,
  envelopes,
  reportProgress,
  workDir,
  ...job
}: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const choice = settings.audio_track
  const amplitude = toAmplitude(settings.threshold)
  const minSilenceSeconds = settings.min_silence_seconds
  const { tracks, analysis } = await getTrackEnvelopes({ info, choice, window, envelopes, reportProgress })
  const quiet = tracks.map((envelope) => findSilences(envelope, { window, amplitude, minSilenceSeconds }))
  // Several tracks are silent where all of them are.
  const silences = dropShorterThan(quiet.reduce(intersect), minSilenceSeconds - roundingSeconds)
  const sounding = pad(complement(silences, window), settings.padding_seconds, window)
  const segments = dropShorterThan(sounding, settings.min_segment_seconds)
  assertSegmentCount(silences.length, 'Raise min_silence_seconds')
  const caption = `Sounding segments: ${segments.length}, shaded. Silences: ${silences.length}, below ${toHundredths(toDbfs(amplitude))} dBFS (dashed).`
  const levels = [amplitude]
  await writeFile(previewPath(workDir), drawWaveform({ tracks, window, segments, levels, caption }))
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      silences: silences.map(presentSegment),
      segments: segments.map(presentSegment),
      total_silence_seconds: totalSeconds(silences),
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [presentPreview(workDir)],
    warnings: warnOfDamage(tracks),
    billedMilliseconds: wholeMilliseconds(window.end - window.start),
  }
}
