import type { z } from 'zod'
import { toAmplitude, toDbfs } from '../../core/media.ts'
import { durationOf, type Segment, shift } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import {
  drawEnvelope,
  type EnergyWindows,
  findLoudSegments,
  type LoudSegment,
  loudestOf,
  measureEnergy,
} from '../../media/sound/energy.ts'
import type { Envelope } from '../../media/sound/envelope.ts'
import { assertSegmentCount, presentSegment, toHundredths, totalSeconds } from '../format.ts'
import type { RunContext, SearchContext } from '../run-contract.ts'
import { detectAgain, runDetection } from '../run-detection.ts'
import type { energySettings } from './declaration.ts'

type Settings = z.output<typeof energySettings>

const maxPoints = 1_000

export const runDetectEnergy = (job: RunContext<Settings>) => runDetection(job, detectLoudness(job.settings))

export const searchLoudnessAgain = (job: SearchContext<Settings>) => detectAgain(job, detectLoudness(job.settings))

function detectLoudness(settings: Settings) {
  const windowSeconds = settings.window_seconds
  const startAmplitude = toAmplitude(settings.threshold)
  const endAmplitude = toAmplitude(settings.quiet_threshold)
  return async (tracks: readonly Envelope[], window: Segment) => {
    const measured: EnergyWindows[] = []
    for (const track of tracks) measured.push(await measureEnergy(track, window, windowSeconds))
    const windows = await loudestOf(measured)
    const segments = await findLoudSegments(windows, {
      windowSeconds,
      totalSeconds: durationOf(window),
      startAmplitude,
      endAmplitude,
      minSegmentSeconds: settings.min_segment_seconds,
      top: settings.top,
    })
    assertSegmentCount(segments.length, 'Raise min_segment_seconds')
    const envelope = await drawEnvelope(windows, maxPoints)
    const levels = [startAmplitude, endAmplitude]
    const [from, downTo] = levels.map((level) => toHundredths(toDbfs(level)))
    return {
      findings: {
        segments: segments.map((segment) => presentLoudSegment(segment, window.start, toDbfs(endAmplitude))),
        envelope: {
          seconds_per_point: roundToMillisecond(envelope.windowsPerPoint * windowSeconds),
          rms_db: envelope.rmsDb.map(toHundredths),
        },
        total_segment_seconds: totalSeconds(segments),
      },
      segments: shift(segments, window.start),
      levels,
      caption: `Loud segments: ${segments.length}, shaded: from ${from} dBFS down to ${downTo} dBFS, dashed.`,
    }
  }
}

function presentLoudSegment({ meanDb, peakDb, start, end }: LoudSegment, offset: number, quietDb: number) {
  const score = quietDb < 0 ? (meanDb - quietDb) / -quietDb : 0
  return {
    ...presentSegment({ start: start + offset, end: end + offset }),
    mean_db: toHundredths(meanDb),
    peak_db: toHundredths(peakDb),
    score: toHundredths(Math.min(Math.max(score, 0), 1)),
  }
}
