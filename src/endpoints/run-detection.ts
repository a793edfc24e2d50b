import { writeFile } from 'node:fs/promises'
import { wholeMilliseconds } from '../core/money.ts'
import { durationOf, type Segment } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import type { Envelope } from '../media/sound/envelope.ts'
import { getTrackEnvelopes } from '../media/sound/envelopes.ts'
import { drawWaveform } from '../media/sound/waveform-svg.ts'
import { presentPreview, previewPath, warnOfDamage } from './format.ts'
import { resolveWindow } from './job-window.ts'
import type { RunContext } from './run-contract.ts'
import type { DetectionSettings } from './split-detection.ts'

/** What an endpoint found in the sound of a window. */
export interface Detection<Findings> {
  readonly findings: Findings
  /** Shaded in the preview, on the media's clock. */
  readonly segments: readonly Segment[]
  /** Dashed in the preview: linear amplitudes. */
  readonly levels: readonly number[]
  readonly caption: string
}

/** Runs `detect` on the envelopes of the chosen tracks, and draws the preview of what it found. */
export async function runDetection<Findings extends object>(
  { media: { info }, settings, envelopes, reportProgress, workDir, ...job }: RunContext<DetectionSettings>,
  detect: (tracks: readonly Envelope[], window: Segment) => Detection<Findings>,
) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const choice = settings.audio_track
  const { tracks, analysis } = await getTrackEnvelopes({ info, choice, window, envelopes, reportProgress })
  const { findings, ...picture } = detect(tracks, window)
  await writeFile(previewPath(workDir), drawWaveform({ tracks, window, ...picture }))
  return {
    result: { media_seconds: roundToMillisecond(info.durationSeconds), ...findings, analysis },
    files: [presentPreview(workDir)],
    warnings: warnOfDamage(tracks),
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}
