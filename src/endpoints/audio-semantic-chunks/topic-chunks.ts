import { lowerBound } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { mapInTurns, nextTurn } from '../../core/turns.ts'

export interface ChunkLengths {
  /** Longer chunks are also cut where the topic does not change, at their deepest dip. */
  readonly targetSeconds: number | undefined
  /** No cut makes a shorter chunk. */
  readonly minSeconds: number
  /** No change of topic makes a shorter chunk. */
  readonly topicSeconds?: number
  /** Adds cuts at the clearest changes until there are this many chunks. */
  readonly minChunks?: number | undefined
  readonly maxChunks?: number | undefined
}

/** YouTube shows chapters if there are three. */
const fewestUsualChunks = 3

/**
 * What people read as chapters: more of them the longer the speech is, but not in proportion. 5 for 5 minutes, 11 for 20, 20 for an hour.
 * Measured on 27 talks of 4 to 59 minutes, whose topics change up to 38 times in 20 minutes, often twice within seconds.
 */
export function usualLengths(seconds: number): { readonly maxChunks: number; readonly topicSeconds: number } {
  const maxChunks = Math.max(fewestUsualChunks, Math.floor(2.6 * Math.sqrt(seconds / 60)))
  return { maxChunks, topicSeconds: seconds / maxChunks / 2 }
}

/** Measured on joined texts (`npm run lab -- finders topics`): changes of topic have more than 0.5, other dips less than 0.25. */
const topicDepth = 0.4

/**
 * How deep the similarity dips at each gap: how much it falls from the nearest peak on each side, together. Hearst, TextTiling (1997),
 * https://aclanthology.org/J97-1003
 */
export function dipDepths(similarities: readonly number[]): number[] {
  const before = peaksBefore(similarities)
  const after = peaksBefore(similarities.toReversed()).reverse()
  return similarities.map((similarity, gap) => (before[gap] ?? 0) - similarity + ((after[gap] ?? 0) - similarity))
}

/** At each gap, the similarity at the nearest peak before it. */
function peaksBefore(similarities: readonly number[]): number[] {
  const peaks: number[] = []
  for (const [gap, similarity] of similarities.entries()) {
    const isRising = (similarities[gap - 1] ?? Number.NEGATIVE_INFINITY) > similarity
    peaks.push(isRising ? (peaks.at(-1) ?? similarity) : similarity)
  }
  return peaks
}

/** The chunks as the indexes of their first sentences: cut at changes of topic, deepest first, and then where chunks are too long. */
export async function cutIntoChunks(
  sentences: readonly Segment[],
  similarities: readonly number[],
  { targetSeconds = Infinity, minSeconds, topicSeconds = 0, minChunks = 0, maxChunks = Infinity }: ChunkLengths,
): Promise<number[]> {
  if (sentences.length === 0) return []
  const starts = [0]
  const secondsOf = (first: number, end: number) => (sentences[end - 1]?.end ?? 0) - (sentences[first]?.start ?? 0)
  const cutBefore = (sentence: number, longerThan: number, leastSeconds = minSeconds) => {
    const position = lowerBound(starts, (start) => start < sentence)
    const [first, end] = [starts[position - 1] ?? 0, starts[position] ?? sentences.length]
    const isCut = end === sentence || starts[position] === sentence
    const shorter = Math.min(secondsOf(first, sentence), secondsOf(sentence, end))
    const isWanted = secondsOf(first, end) > longerThan && starts.length < maxChunks
    if (!isCut && shorter >= leastSeconds && isWanted) starts.splice(position, 0, sentence)
  }
  const depths = dipDepths(similarities)
  await nextTurn()
  const deepestFirst = depths.map((depth, gap) => ({ depth, sentence: gap + 1 })).sort((a, b) => b.depth - a.depth)
  const leastSeconds = Math.max(minSeconds, topicSeconds)
  await mapInTurns(deepestFirst, ({ depth, sentence }) => depth >= topicDepth && cutBefore(sentence, 0, leastSeconds))
  await mapInTurns(deepestFirst, ({ sentence }) => cutBefore(sentence, targetSeconds))
  await mapInTurns(deepestFirst, ({ sentence }) => starts.length < minChunks && cutBefore(sentence, 0))
  return starts
}
