import { z } from 'zod'
import type { Passage } from '../../core/passages.ts'
import { isCentredIn, type Segment } from '../../core/segments.ts'
import { mapInTurns } from '../../core/turns.ts'
import type { Models } from '../../models/models.ts'
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
  const isInside = ([start, end]: readonly [number, number]) => isCentredIn({ start, end }, window)
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
