import { lowerBound } from '../../core/binary-search.ts'
import type { Segment } from '../../core/segments.ts'
import { mapInTurns, nextTurn } from '../../core/turns.ts'

export interface ChunkLengths {
  /** Longer chunks are also cut where the topic does not change, at their deepest dip. */
  readonly targetSeconds: number | undefined
  /** No cut makes a shorter chunk. */
  readonly minSeconds: number
}

/** Measured on joined texts (`npm run bench:finders -- topics`): changes of topic have more than 0.5, other dips less than 0.25. */
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
  { targetSeconds = Number.POSITIVE_INFINITY, minSeconds }: ChunkLengths,
): Promise<number[]> {
  if (sentences.length === 0) return []
  const starts = [0]
  const secondsOf = (first: number, end: number) => (sentences[end - 1]?.end ?? 0) - (sentences[first]?.start ?? 0)
  const cutBefore = (sentence: number, longerThan: number) => {
    const position = lowerBound(starts, (start) => start < sentence)
    const [first, end] = [starts[position - 1] ?? 0, starts[position] ?? sentences.length]
    const isCut = end === sentence || starts[position] === sentence
    const shorter = Math.min(secondsOf(first, sentence), secondsOf(sentence, end))
    if (!isCut && shorter >= minSeconds && secondsOf(first, end) > longerThan) starts.splice(position, 0, sentence)
  }
  const depths = dipDepths(similarities)
  await nextTurn()
  const deepestFirst = depths.map((depth, gap) => ({ depth, sentence: gap + 1 })).sort((a, b) => b.depth - a.depth)
  await mapInTurns(deepestFirst, ({ depth, sentence }) => depth >= topicDepth && cutBefore(sentence, 0))
  await mapInTurns(deepestFirst, ({ sentence }) => cutBefore(sentence, targetSeconds))
  return starts
}
