import { writeFile } from 'node:fs/promises'
import { ServiceError } from '../core/errors.ts'
import type { AudioTrack } from '../core/media.ts'
import { wholeMilliseconds } from '../core/money.ts'
import { durationOf, type Segment } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import { chooseTracks } from '../media/sound/decode-audio.ts'
import { type Envelope, frameAt, stretchAround } from '../media/sound/envelope.ts'
import { getTrackEnvelopes, requestsOf, splitStretch } from '../media/sound/envelopes.ts'
import { drawWaveform } from '../media/sound/waveform-svg.ts'
import type { DetectionSettings } from './define-timeline-endpoint.ts'
import { presentPreview, previewPath, warnOfDamage, warnOfShortSound } from './format.ts'
import { resolveWindow } from './parse-settings.ts'
import type { EndpointParts, RunContext, SearchContext } from './run-contract.ts'

/** What an endpoint found in the sound of a window. */
export interface Detection<Findings> {
  readonly findings: Findings
  /** Shaded in the preview, on the media's clock. */
  readonly segments: readonly Segment[]
  /** Dashed in the preview: linear amplitudes. */
  readonly levels: readonly number[]
  readonly caption: string
}

type Detect<Findings> = (tracks: readonly Envelope[], window: Segment) => Promise<Detection<Findings>>

/** Runs `detect` on envelopes that are kept. */
export async function detectAgain<Findings extends object>(
  { info, settings, envelopes, ...job }: SearchContext<DetectionSettings>,
  detect: Detect<Findings>,
) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const kept = { info, choice: settings.audio_track, window, envelopes, reportProgress: () => {} }
  const { tracks } = await getTrackEnvelopes(kept)
  const { findings } = await detect(tracks, window)
  return { media_seconds: roundToMillisecond(info.durationSeconds), ...findings }
}

/** Runs `detect` on the envelopes of the chosen tracks, and draws the preview of what it found. */
export async function runDetection<Findings extends object>(
  { media: { info }, settings, envelopes, reportProgress, workDir, ...job }: RunContext<DetectionSettings>,
  detect: Detect<Findings>,
) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const choice = settings.audio_track
  const { tracks, analysis } = await getTrackEnvelopes({ info, choice, window, envelopes, reportProgress })
  const chosen = chooseTracks(info, choice)
  const missing = chosen.map((track, index) => {
    const envelope = tracks[index]
    return envelope && missingSound(track, envelope, window)
  })
  const { findings, ...picture } = await detect(tracks, window)
  await writeFile(previewPath(workDir), await drawWaveform({ tracks, window, ...picture }))
  return {
    result: { media_seconds: roundToMillisecond(info.durationSeconds), ...findings, analysis },
    files: [presentPreview(workDir)],
    warnings: [...warnOfDamage(tracks), ...warnOfMissing(missing), ...warnOfShortSound(chosen, window)],
    // Absence of data in every track is no sound to analyse.
    billedMilliseconds: wholeMilliseconds(
      durationOf(window) - Math.min(...missing.map((part) => (part ? durationOf(part) : 0))),
    ),
  }
}

/** Lengths that containers state are rounded, and include what decoders drop. */
const maxDeviationSeconds = 1

/**
 * The part of the window in which a track states sound, but has no packets: after its last sample, up to its stated end. A track that
 * begins late or has gaps has packets after them. Undefined if nothing is missing, or if the track does not state its length.
 */
function missingSound(
  { endSeconds = 0 }: Pick<AudioTrack, 'endSeconds'>,
  { startMs, sampleRate, frames }: Envelope,
  window: Segment,
): Segment | undefined {
  const decodedEnd = (frameAt(startMs, sampleRate) + frames) / sampleRate
  const missing = { start: Math.max(window.start, decodedEnd), end: Math.min(window.end, endSeconds) }
  return durationOf(missing) > maxDeviationSeconds ? missing : undefined
}

function warnOfMissing(missing: readonly (Segment | undefined)[]): string[] {
  const longest = missing.filter((part) => part !== undefined).toSorted((a, b) => durationOf(b) - durationOf(a))[0]
  if (!longest) return []
  const [start, end] = [longest.start, longest.end].map((seconds) => roundToMillisecond(seconds))
  const charge = missing.every((part) => part !== undefined) ? ' It is not charged.' : ''
  return [
    `From ${start} to ${end} s, the media states sound but has no data of it, which was taken for silence.${charge} Check that the file is complete.`,
  ]
}

/** Each part measures a piece of the sound of one track. */
export const detectionParts: EndpointParts<DetectionSettings> = {
  plan: async (job) => {
    const areReusable = await Promise.all(tracksOf(job).map((request) => job.envelopes.isReusable(request)))
    if (areReusable.every(Boolean)) return []
    return piecesOf(job).map(({ piece }) => (piece.endMs - piece.startMs) / 1000)
  },
  run: async (job, part) => {
    const found = piecesOf(job)[part]
    if (!found) throw new ServiceError('server_error', undefined, { cause: new RangeError(`no part ${part}`) })
    // Another job may have ended since the plan.
    if (await job.envelopes.isReusable(found.request)) return
    await job.envelopes.measurePiece({ ...found.request, onProgress: job.reportProgress }, found.piece)
  },
}

function tracksOf({ media: { info }, settings, window }: RunContext<DetectionSettings>) {
  return requestsOf({ info, choice: settings.audio_track, window: resolveWindow(window, info.durationSeconds) })
}

function piecesOf(job: RunContext<DetectionSettings>) {
  return tracksOf(job).flatMap((request) =>
    splitStretch(stretchAround(request.window)).map((piece) => ({ request, piece })),
  )
}
