import { ServiceError } from '../../core/errors.ts'
import type { Segment } from '../../core/segments.ts'
import { type PacketQuery, readPackets } from '../inspect/packets.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'

/** By stream index: where sound resumes after each long gap, in seconds on the container's clock. If the window ends in a gap, the last entry is the end of the window. */
export type Resumes = ReadonlyMap<number, readonly number[]>

/** ffmpeg fills shorter gaps in a few megabytes. */
const minGapSeconds = 10
/** The first samples of a decoder can be earlier than their packet. */
const leadSeconds = 1
/** Each adds a branch to the filters, which every sample passes. */
const maxGaps = 50

export interface LongGapsInput extends Pick<PacketQuery, 'ffmpeg' | 'signal'> {
  readonly tracks: Tracks
  readonly audio: readonly SourceAudio[]
  /** What is decoded, on the media's clock. */
  readonly window: Segment
}

/**
 * Runs an encode, and if it fails over long gaps in its sound, once more with their places. ffmpeg takes memory for all the silence
 * that fills a gap; filters that know the gap make the silence as it is encoded.
 */
export async function fillLongGaps<Result>(
  input: LongGapsInput,
  encode: (resumes: Resumes) => Promise<Result>,
): Promise<Result> {
  try {
    return await encode(new Map())
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'processing_failed')) throw error
    const resumes = await findResumes(input)
    if (resumes.size === 0) throw error
    return encode(resumes)
  }
}

async function findResumes({ tracks, audio, window, ffmpeg, signal }: LongGapsInput): Promise<Resumes> {
  const { input, originSeconds } = tracks
  const interval = { start: window.start + originSeconds, end: window.end + originSeconds }
  const read = audio.map((track) => ({ track, end: Number.NEGATIVE_INFINITY, gaps: [] as Gap[] }))
  await readPackets({ input, ffmpeg, signal, interval }, ({ streamIndex, pts, duration }) => {
    const found = read.find(({ track }) => track.streamIndex === streamIndex)
    if (!found) return
    const seconds = pts - found.end
    if (pts > interval.start && seconds > minGapSeconds) {
      const silentSeconds = pts - Math.max(found.end, interval.start)
      found.gaps.push({ seconds, resumesAt: pts - Math.min(leadSeconds, silentSeconds / 2) })
    }
    found.end = Math.max(found.end, pts + duration)
  })
  return new Map(
    read.flatMap(({ track, end, gaps }) => {
      const longest = gaps.toSorted((a, b) => b.seconds - a.seconds).slice(0, maxGaps)
      const resumes = longest.map(({ resumesAt }) => resumesAt).toSorted((a, b) => a - b)
      const endsInGap = end < Math.min(interval.end, track.endSeconds + originSeconds)
      if (endsInGap) resumes.push(interval.end)
      return resumes.length > 0 ? [[track.streamIndex, resumes] as const] : []
    }),
  )
}

interface Gap {
  readonly seconds: number
  readonly resumesAt: number
}
