import { z } from 'zod'
import type { Passage } from '../../core/passages.ts'
import type { Segment } from '../../core/segments.ts'
import { mapInTurns } from '../../core/turns.ts'
import { type Models, modelSampleRate, type SpokenWord, spokenWord } from '../../models/models.ts'
import type { JobMedia } from '../source/media-source.ts'
import type { TrackAnalyses, TrackRequest } from '../track-analyses.ts'

/** The sentences of a stretch, and how alike the speech before and after each gap between two of them is. */
export const topicGaps = z.object({
  /** Start and end of each, in seconds. */
  sentences: z.array(z.tuple([z.number(), z.number()])),
  /** −1 to 1, for the gap after each sentence but the last. */
  similarities: z.array(z.number()),
})

export type TopicGaps = z.output<typeof topicGaps>

export interface TopicGapsRequest extends TrackRequest {
  /** Those of the window. */
  readonly sentences: readonly Passage[]
}

/** Measured on texts of short sentences: with fewer, single sentences look like a change of topic; with more, short topics get lost. */
const sentencesBeside = 3
/** A call of the model takes about a quarter of a second, so that progress is seen and a canceled job ends soon. */
const sentencesPerCall = 32

interface TopicGapsTools {
  readonly media: JobMedia
  readonly models: Models
}

/** Topic gaps that are measured on request. The media is opened first: a job that must not read it leaves the work to one that may. */
export function measuredTopicGaps({ media, models }: TopicGapsTools): TrackAnalyses<TopicGaps, TopicGapsRequest> {
  return {
    get: async ({ sentences, onProgress }) => {
      await media.open()
      const vectors: Float32Array[] = []
      for (let from = 0; from < sentences.length; from += sentencesPerCall) {
        const texts = sentences.slice(from, from + sentencesPerCall).map(({ text }) => text)
        vectors.push(...(await models.run('embed', texts)))
        onProgress(vectors.length / sentences.length)
      }
      const value = {
        sentences: sentences.map(({ start, end }): [number, number] => [start, end]),
        similarities: await gapSimilarities(vectors),
      }
      return { value, analysis: 'computed' }
    },
  }
}

/** For each gap, the cosine between the means of the vectors on both sides. */
export function gapSimilarities(vectors: readonly Float32Array[]): Promise<number[]> {
  return mapInTurns(vectors.slice(1), (_, index) => {
    const gap = index + 1
    const before = sumOf(vectors.slice(Math.max(0, gap - sentencesBeside), gap))
    const after = sumOf(vectors.slice(gap, gap + sentencesBeside))
    const cosine = productOf(before, after) / Math.sqrt(productOf(before, before) * productOf(after, after))
    return Math.round(cosine * 1e4) / 1e4
  })
}

/** The sentences whose middle is in the window, with the gaps between them. */
export function topicGapsWithin({ sentences, similarities }: TopicGaps, window: Segment): TopicGaps {
  const isInside = ([start, end]: readonly [number, number]) =>
    (start + end) / 2 >= window.start && (start + end) / 2 < window.end
  const first = sentences.findIndex(isInside)
  const inside = sentences.filter(isInside)
  return { sentences: inside, similarities: similarities.slice(first, first + Math.max(0, inside.length - 1)) }
}

function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0)
  return sum
}

function productOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

/** Where a cut beside a word is quiet, in seconds. Null if nowhere; undefined in transcripts of earlier versions. */
const quietMoment = z.number().nullable().optional()

/** A word of a transcript, with the quiet moments between it and the words beside it. */
export const heardWord = z.object({ ...spokenWord.shape, quietBefore: quietMoment, quietAfter: quietMoment })

export type HeardWord = z.output<typeof heardWord>

interface HeardSamples {
  /** Mono, at the rate of the models. */
  readonly samples: Float32Array
  /** In seconds, of the first sample. */
  readonly start: number
}

/** A quiet moment is at least this much below the quieter of the words beside it. Measured: a pause is 20 to 35 dB below, running speech 2 to 15. */
const quietDb = 14
/** A shorter gap is within the error of the words' times: the words touch. */
const minGapSeconds = 0.05
/** How far the boundary of words that touch may be from where their times put it. Further away, quiet moments are within the words. */
const boundaryReachSeconds = 0.06
/** Between two words that are far apart, other sounds are possible, so that moments are near the words. */
const wordReachSeconds = 1

/**
 * Finds the quiet moments between words. Words that touch then meet in the moment, so that no moment is within a word: it is a better
 * boundary than their times.
 */
export function findQuietMoments(words: readonly SpokenWord[], heard: HeardSamples): HeardWord[] {
  const levels = measureLevels(heard)
  const found: HeardWord[] = words.map((word) => ({ ...word }))
  const loudest = words.map((word) => levels.loudest(word))
  const end = heard.start + heard.samples.length / modelSampleRate
  for (let index = 0; index <= found.length; index += 1) {
    const [before, after] = [found[index - 1], found[index]]
    const limit = Math.min(loudest[index - 1] ?? 0, loudest[index] ?? 0) - quietDb
    if (before && after && after.start - before.end < minGapSeconds) {
      const moment = levels.quietMoment(boundaryOf(before, after), limit)
      Object.assign(before, { quietAfter: moment, end: moment ?? before.end })
      Object.assign(after, { quietBefore: moment, start: moment ?? after.start })
      continue
    }
    const gap = { start: before?.end ?? heard.start, end: after?.start ?? end }
    const nearBefore = { start: gap.start, end: Math.min(gap.end, gap.start + wordReachSeconds) }
    const nearAfter = { start: Math.max(gap.start, gap.end - wordReachSeconds), end: gap.end }
    if (before) before.quietAfter = levels.quietMoment(nearBefore, limit)
    if (after) after.quietBefore = levels.quietMoment(nearAfter, limit)
  }
  return found
}

/** Where the boundary of two words that touch can be. */
function boundaryOf(before: Segment, after: Segment): Segment {
  return {
    start: Math.max(before.end - boundaryReachSeconds, (before.start + before.end) / 2),
    end: Math.min(after.start + boundaryReachSeconds, (after.start + after.end) / 2),
  }
}

const cellSeconds = 0.005
/** Levels are those of 20 ms: more than a period of a deep voice. */
const cellsAround = 2
/** Of moments this close to the quietest one, the one in the middle is chosen: a pause is even. */
const evenDb = 6

/** Levels in dBFS, around the ends of cells. */
function measureLevels({ samples, start }: HeardSamples) {
  const cellLength = cellSeconds * modelSampleRate
  const power = Float64Array.from({ length: Math.floor(samples.length / cellLength) }, (_, cell) =>
    samples.subarray(cell * cellLength, (cell + 1) * cellLength).reduce((sum, sample) => sum + sample ** 2, 0),
  )
  const levelAt = (cell: number) => {
    const around = power.subarray(Math.max(0, cell - cellsAround), cell + cellsAround)
    const sum = around.reduce((total, each) => total + each, 1e-12)
    return 10 * Math.log10(sum / (Math.max(1, around.length) * cellLength))
  }
  /** The ends of cells in the span, with their levels. */
  const levelsIn = (span: Segment) => {
    const first = Math.ceil((span.start - start) / cellSeconds)
    const last = Math.min(power.length, Math.floor((span.end - start) / cellSeconds))
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
      seconds: start + (first + index) * cellSeconds,
      level: levelAt(first + index),
    }))
  }
  return {
    loudest: (span: Segment) => Math.max(-120, ...levelsIn(span).map(({ level }) => level)),
    /** The moment nearest to the middle of the span of those that are about as quiet as the quietest; null if all are above the limit. */
    quietMoment: (span: Segment, limit: number): number | null => {
      const levels = levelsIn(span)
      const quietest = Math.min(...levels.map(({ level }) => level))
      if (levels.length === 0 || quietest > limit) return null
      const middle = (span.start + span.end) / 2
      const quiet = levels.filter(({ level }) => level <= Math.min(limit, quietest + evenDb))
      const away = ({ seconds }: { readonly seconds: number }) => Math.abs(seconds - middle)
      return quiet.reduce((best, each) => (away(each) < away(best) ? each : best)).seconds
    },
  }
}
