import { writeFile } from 'node:fs/promises'
import type { z } from 'zod'
import { toAmplitude, toDbfs } from '../../core/media.ts'
import { wholeMilliseconds } from '../../core/money.ts'
import { shift } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { measureEnergy } from '../../media/sound/energy.ts'
import { getTrackEnvelopes } from '../../media/sound/envelopes.ts'
import {
  drawEnvelope,
  findLoudSegments,
  type LoudSegment,
  loudestOf,
  loudestSegments,
} from '../../media/sound/loud-segments.ts'
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
import type { energySettings } from './declaration.ts'

type Settings = z.output<typeof energySettings>

const maxPoints = 1_000

export async function runDetectEnergy({
  media: { info },
  settings,
  envelopes,
  reportProgress,
  workDir,
  ...job
}: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const choice = settings.audio_track
  const windowSeconds = settings.window_seconds
  const { tracks, analysis } = await getTrackEnvelopes({ info, choice, window, envelopes, reportProgress })
  const windows = loudestOf(tracks.map((track) => measureEnergy(track, window, windowSeconds)))
  const quietDb = toDbfs(toAmplitude(settings.quiet_threshold))
  const found = findLoudSegments(windows, {
    windowSeconds,
    totalSeconds: window.end - window.start,
    startAmplitude: toAmplitude(settings.threshold),
    endAmplitude: toAmplitude(settings.quiet_threshold),
    minSegmentSeconds: settings.min_segment_seconds,
  })
  const segments = settings.top === undefined ? found : loudestSegments(found, settings.top)
  assertSegmentCount(segments.length, 'Raise min_segment_seconds')
  const envelope = drawEnvelope(windows, maxPoints)
  const levels = [toAmplitude(settings.threshold), toAmplitude(settings.quiet_threshold)]
  const [from, downTo] = levels.map((level) => toHundredths(toDbfs(level)))
  const caption = `Loud segments: ${segments.length}, shaded: from ${from} dBFS down to ${downTo} dBFS, dashed.`
  await writeFile(
    previewPath(workDir),
    drawWaveform({ tracks, window, segments: shift(segments, window.start), levels, caption }),
  )
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      segments: segments.map((segment) => presentLoudSegment(segment, window.start, quietDb)),
      envelope: {
        seconds_per_point: roundToMillisecond(envelope.windowsPerPoint * windowSeconds),
        rms_db: envelope.rmsDb.map(toHundredths),
      },
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [presentPreview(workDir)],
    warnings: warnOfDamage(tracks),
    billedMilliseconds: wholeMilliseconds(window.end - window.start),
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
