import type { z } from 'zod'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseTrack } from '../../media/sound/decode-audio.ts'
import { laughterSegments } from '../../media/speech/tag-track.ts'
import { assertSegmentCount, presentSegment, toHundredths, totalSeconds, warnOfListening } from '../format.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { RunContext } from '../run-contract.ts'
import type { detectLaughterSettings } from './declaration.ts'

type Settings = z.output<typeof detectLaughterSettings>

export async function runDetectLaughter({ media: { info }, settings, soundTags, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const track = chooseTrack(info, settings.audio_track)
  const { value: tags, analysis } = await soundTags.get({ track, window, onProgress: job.reportProgress })
  const { threshold, min_segment_seconds: minSegmentSeconds } = settings
  const found = laughterSegments(tags, { window, threshold, minSegmentSeconds })
  assertSegmentCount(found.length, 'Raise threshold')
  const segments = found.map(({ score, kind, ...segment }) => ({
    ...presentSegment(segment),
    score: toHundredths(score),
    kind,
  }))
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      segments,
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [],
    warnings: warnOfListening(tags, track, window),
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}
