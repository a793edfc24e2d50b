import { z } from 'zod'
import { clampTo, dropShorterThan, durationOf, joinAcross, type Segment } from '../../core/segments.ts'
import { laughterKinds, type SoundTags, tagHopSeconds, tagWindowSeconds } from '../../models/models.ts'
import { chooseTrack } from '../sound/decode-audio.ts'
import type { AnalyseInput } from '../track-analyses.ts'
import { decodeStretch } from './find-speech.ts'

/** As `z.array(z.int())`, which takes a tenth of a second for each kind of sound in a day. */
const percents = z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isInteger))

/** The sound tags of a stretch: for each kind of sound, its probability in percent in each window. Window n starts at `start` + n hops. */
export const trackTags = z.object({
  start: z.number(),
  percents: z.record(z.enum(laughterKinds), percents),
  hasOpposedChannels: z.boolean(),
  decodeErrors: z.int(),
})

export type TrackTags = z.output<typeof trackTags>

type LaughterKind = (typeof laughterKinds)[number]

export function percentsOfKinds(percentsOf: (kind: LaughterKind) => number[]): TrackTags['percents'] {
  return trackTags.shape.percents.parse(Object.fromEntries(laughterKinds.map((kind) => [kind, percentsOf(kind)])))
}

/** Ten minutes of samples take 40 MB, here and in the process of the model. */
const blockHops = 2_500

/** Of a block's progress. Measured on ten minutes: 1 s to decode a file, 38 to tag. Slow servers take longer. */
const decodingShare = 0.1

/** Tags the sounds of a window of a track, block by block. */
export async function tagTrack({ window, models, onProgress, ...input }: AnalyseInput): Promise<TrackTags> {
  const track = chooseTrack(input.media.info, input.trackIndex)
  const found: SoundTags[] = []
  let decodeErrors = 0
  let hasOpposedChannels = false
  const hops = Math.max(1, Math.floor((durationOf(window) - tagWindowSeconds) / tagHopSeconds) + 1)
  for (let hop = 0; hop < hops; hop += blockHops) {
    const nextHop = Math.min(hops, hop + blockHops)
    const report = (fraction: number) => onProgress((hop + fraction * (nextHop - hop)) / hops)
    const block = await decodeStretch({ ...input, track }, blockOf(window, hop, nextHop), (fraction) =>
      report(fraction * decodingShare),
    )
    found.push(await models.run('sound-tags', block.samples))
    decodeErrors += block.decodeErrors
    hasOpposedChannels ||= block.hasOpposedChannels
    report(1)
  }
  const percents = percentsOfKinds((kind) =>
    found.flatMap((tags) => Array.from(tags[kind], (probability) => Math.round(probability * 100))),
  )
  return { start: window.start, percents, hasOpposedChannels, decodeErrors }
}

/** The stretch of the windows from one hop to before another. Only the last window is shorter than the model's. */
function blockOf({ start, end }: Segment, from: number, to: number): Segment {
  return {
    start: start + from * tagHopSeconds,
    end: Math.min(end, start + (to - 1) * tagHopSeconds + tagWindowSeconds + frameSlack),
  }
}

/** Against rounding of the last window's samples. */
const frameSlack = 0.005

interface LaughterSegment extends Segment {
  /** 0 to 1. */
  readonly score: number
  readonly kind: LaughterKind
}

/** A segment lasts as long as its score is at least this share of the threshold. */
const lastingShare = 0.5
/** A shorter pause, for breath, does not end laughter. */
const maxPauseSeconds = 0.5
/** A model's window with laughter is centred on it: this much around its centre is the segment. */
const reachSeconds = 0.36

interface LaughterOptions {
  readonly window: Segment
  /** 0 to 1. */
  readonly threshold: number
  readonly minSegmentSeconds: number
}

/** The segments of laughter in a track's sound tags. */
export function laughterSegments(
  { start, percents }: TrackTags,
  { window, threshold, minSegmentSeconds }: LaughterOptions,
): LaughterSegment[] {
  const scores = percents.laughter.map((_, index) =>
    Math.max(...laughterKinds.map((kind) => percents[kind][index] ?? 0)),
  )
  const centreOf = (index: number) => start + index * tagHopSeconds + tagWindowSeconds / 2
  const indicesIn = ({ start: from, end }: Segment) => {
    const first = Math.max(0, Math.ceil((from - centreOf(0)) / tagHopSeconds))
    const last = Math.min(scores.length - 1, Math.floor((end - centreOf(0)) / tagHopSeconds))
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  }
  const around = scores.flatMap((score, index) => {
    const centre = centreOf(index)
    const isLasting = score >= threshold * lastingShare * 100
    return isLasting ? [{ start: centre - reachSeconds, end: centre + reachSeconds }] : []
  })
  const joined = joinAcross(clampTo(around, window), maxPauseSeconds)
  return dropShorterThan(joined, minSegmentSeconds).flatMap((segment) => {
    const inside = indicesIn(segment)
    const score = inside.reduce((most, index) => Math.max(most, scores[index] ?? 0), 0) / 100
    if (score < threshold) return []
    const sumOf = (kind: LaughterKind) => inside.reduce((sum, index) => sum + (percents[kind][index] ?? 0), 0)
    const kind = laughterKinds.reduce((best, each) => (sumOf(each) > sumOf(best) ? each : best))
    return [{ ...segment, score, kind }]
  })
}
