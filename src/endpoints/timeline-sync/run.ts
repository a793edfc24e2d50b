import type { z } from 'zod'
import { createKeyedQueue } from '../../core/concurrency.ts'
import { normalize, type Segment } from '../../core/segments.ts'
import { quoted } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { alignSound, type ComparedLevels, comparedLevels } from '../../media/sound/align-sound.ts'
import { fullScale } from '../../media/sound/envelope.ts'
import { type EarlierSound, maxSoundSeconds, type TimelineContext } from '../define-timeline-endpoint.ts'
import { toHundredths } from '../format.ts'
import type { syncResult, syncSettings } from './declaration.ts'

type Recording = z.output<typeof syncResult>['recordings'][number]

type SyncContext = TimelineContext<z.output<typeof syncSettings>>

/** On a worker, one after another: each takes up to 150 MB of memory. */
const oneByOne = createKeyedQueue()

export function runSync(context: SyncContext) {
  return oneByOne('', () => syncAll(context))
}

async function syncAll({ settings, earlierSound }: SyncContext) {
  const { job_ids: jobIds, timelines = [] } = settings
  const given = jobIds
    ? jobIds.map((jobId) => ({ named: { job_id: jobId }, open: () => earlierSound(jobId) }))
    : timelines.map(({ name, segments }) => ({ named: {}, open: async () => soundOf(segments, name) }))
  const recordings: Recording[] = []
  let reference: Clocked | undefined
  // One after another, so that two are in memory.
  for (const { named, open } of given) {
    const { mediaName, envelope } = await open()
    const sound = { startMs: envelope.startMs, compared: await comparedLevels(envelope) }
    const place = reference ? await placeOn(reference, sound) : itself
    recordings.push({ ...named, ...(mediaName === undefined ? {} : { name: mediaName }), ...place })
    reference ??= sound
  }
  return { result: { recordings }, warnings: recordings.flatMap(warnOf) }
}

const itself = { synced: true, offset_seconds: 0, drift_ppm: 0, residual_ms: 0, confidence: 1 }

/** Full where there is a segment. */
function soundOf(segments: readonly Segment[], mediaName: string | undefined): EarlierSound {
  const endMs = Math.min(maxSoundSeconds * 1000, Math.ceil(Math.max(0, ...segments.map(({ end }) => end)) * 100) * 10)
  const [peaks, squares] = [new Uint16Array(endMs), new Float32Array(endMs / 10)]
  // Segments may overlap as often as a request has room for.
  for (const { start, end } of normalize(segments)) {
    peaks.fill(fullScale - 1, Math.round(start * 1000), Math.round(end * 1000))
    squares.fill(1, Math.round(start * 100), Math.round(end * 100))
  }
  return { mediaName, envelope: { startMs: 0, endMs, peaks, squares } }
}

interface Clocked {
  /** What is kept may begin after the media does. */
  readonly startMs: number
  readonly compared: ComparedLevels
}

async function placeOn(reference: Clocked, other: Clocked) {
  const found = await alignSound(reference.compared, other.compared)
  if (!found) return { synced: false, confidence: 0 }
  const { offsetSeconds, driftPpm, residualSeconds, confidence } = found
  const offset = reference.startMs / 1000 + offsetSeconds - (other.startMs / 1000) * (1 + driftPpm / 1e6)
  return {
    ...{ synced: true, offset_seconds: roundToMillisecond(offset), drift_ppm: toHundredths(driftPpm) },
    ...{ residual_ms: toHundredths(residualSeconds * 1000), confidence: toHundredths(confidence) },
  }
}

function warnOf({ synced, job_id: jobId, name }: Recording, index: number): string[] {
  if (synced) return []
  const which = jobId ?? (name === undefined ? `timeline ${index}` : quoted(name))
  return [`The sound of ${which} has too little in common with that of the reference to be placed on its clock.`]
}
