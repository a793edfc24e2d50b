import type { z } from 'zod'
import { toAmplitude, toDbfs } from '../../core/media.ts'
import { complement, dropShorterThan, overlapsOf, pad, type Segment } from '../../core/segments.ts'
import { collectInTurns, nextTurn } from '../../core/turns.ts'
import type { Envelope } from '../../media/sound/envelope.ts'
import { findSilences, maxSilences, quietLevel } from '../../media/sound/silences.ts'
import { assertSegmentCount, presentSegment, toHundredths, totalSeconds } from '../format.ts'
import type { RunContext, SearchContext } from '../run-contract.ts'
import { detectAgain, runDetection } from '../run-detection.ts'
import type { silenceSettings } from './declaration.ts'

type Settings = z.output<typeof silenceSettings>

export const runDetectSilence = (job: RunContext<Settings>) => runDetection(job, detectSilences(job.settings))

export const searchSilencesAgain = (job: SearchContext<Settings>) => detectAgain(job, detectSilences(job.settings))

const fewer = 'Raise min_silence_seconds'

function detectSilences(settings: Settings) {
  const { threshold, min_silence_seconds: minSilenceSeconds } = settings
  return async (tracks: readonly Envelope[], window: Segment) => {
    const levels: number[] = []
    for (const envelope of tracks)
      levels.push(threshold === 'auto' ? await quietLevel(envelope, window) : toAmplitude(threshold))
    const thresholdDb = toHundredths(toDbfs(Math.max(...levels)))
    // With several tracks, a stretch is silent only if every track is.
    let quiet: Segment[] = [window]
    for (const [index, envelope] of tracks.entries()) {
      const amplitude = levels[index] ?? 0
      const found = await findSilences(envelope, { window, amplitude, minSilenceSeconds })
      if (found.length === maxSilences) assertSegmentCount(maxSilences, fewer)
      quiet = await collectInTurns(overlapsOf(quiet, found))
    }
    const silences = dropShorterThan(quiet, minSilenceSeconds)
    assertSegmentCount(silences.length, fewer)
    await nextTurn()
    const gaps = complement(silences, window)
    await nextTurn()
    const sounding = pad(gaps, settings.padding_seconds, window)
    const segments = dropShorterThan(sounding, settings.min_segment_seconds)
    await nextTurn()
    return {
      findings: {
        silences: silences.map(presentSegment),
        segments: segments.map(presentSegment),
        total_silence_seconds: totalSeconds(silences),
        total_segment_seconds: totalSeconds(segments),
        threshold_db: thresholdDb,
      },
      segments,
      levels: [...new Set(levels)],
      caption: `Sounding segments: ${segments.length}, shaded. Silences: ${silences.length}, below ${thresholdDb} dBFS (dashed).`,
    }
  }
}
