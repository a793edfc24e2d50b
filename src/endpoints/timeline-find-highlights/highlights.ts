import { lowerBound } from '../../core/many-numbers.ts'
import { durationOf, normalize, type Segment } from '../../core/segments.ts'
import { mapInTurns, startTurns } from '../../core/turns.ts'
import type { LabelledSegment } from '../define-timeline-endpoint.ts'

/** What is said, and where a clip of it begins and ends. */
export interface Sentence extends Segment {
  readonly text: string
  /** Between this sentence and its neighbours. */
  readonly startEdge: number
  readonly endEdge: number
  /** When the next word begins. */
  readonly nextStart: number
}

interface Sought {
  readonly laughs: readonly Segment[]
  readonly loud: readonly Segment[]
  readonly topics: readonly LabelledSegment[]
  readonly minSeconds: number
  readonly maxSeconds: number
  readonly max: number
}

export interface Reason extends Segment {
  readonly kind: 'laughter' | 'loud' | 'question' | 'topic'
  readonly text?: string | undefined
}

export interface Highlight extends Segment {
  /** 1: the best. */
  readonly rank: number
  readonly score: number
  /** The first sentence. */
  readonly text: string
  readonly reasons: readonly Reason[]
}

// What a stretch is worth. A second of laughter is worth as much as one and a half of a beginning that makes people listen on.
const ofLaughSecond = 1
const longestLaughs = 8
const ofLaughAtEnd = 2
const ofQuestion = 1.5
const ofTopic = 1
/** For each time that a stretch is louder than the talk, up to two. */
const ofLoudness = 1
const mostLoudness = 2
/** Steady speech is not loud. */
const leastLoudness = 0.5
/** Of two that are equal, the shorter one is better. */
const ofSecond = -0.02

/** A laugh that begins this soon after a sentence, before anything else is said, is about it. Some rooms wait for three seconds. */
const laughAfterSeconds = 5
/** A topic begins with the sentence that is this near. */
const topicNearSeconds = 1
const shortestLoudSeconds = 0.5

/** More sentences are no stretch of speech. */
const mostSentences = 500

/** The best stretches of whole sentences that have a reason, in the order of time and without overlap. */
export async function highlightsOf(sentences: readonly Sentence[], sought: Sought): Promise<Highlight[]> {
  const [laughs, loud] = [coverOf(sought.laughs), coverOf(sought.loud)]
  const [from, to] = [sentences[0]?.start ?? 0, sentences.at(-1)?.end ?? 0]
  const usualLoudness = (loud.until(to) - loud.until(from)) / Math.max(1, to - from)
  const edges = await mapInTurns(sentences, (sentence) => edgesOf(sentence, sought.topics, { laughs, loud }))
  const found: Stretch[] = []
  const turns = startTurns()
  for (const first of edges.keys()) {
    const best = bestFrom(edges.slice(first, first + mostSentences), sought, usualLoudness)
    if (best) found.push(best)
    if (turns.isDue()) await turns.next()
  }
  const chosen: Stretch[] = []
  for (const stretch of found.toSorted((one, other) => other.score - one.score)) {
    if (chosen.length === sought.max) break
    if (chosen.every(({ start, end }) => stretch.end <= start || stretch.start >= end)) chosen.push(stretch)
    if (turns.isDue()) await turns.next()
  }
  const reasonsFor = ({ start, end, isLouder, opening }: Stretch) => [
    ...laughs.longestIn({ start, end }, 'laughter'),
    ...(isLouder ? loud.longestIn({ start, end }, 'loud') : []),
    ...opening,
  ]
  return chosen
    .map((stretch, index) => ({ ...stretch, rank: index + 1, reasons: reasonsFor(stretch) }))
    .toSorted((one, other) => one.start - other.start)
}

interface Stretch extends Omit<Highlight, 'rank' | 'reasons'> {
  readonly opening: readonly Reason[]
  readonly isLouder: boolean
}

/** A time, and what is heard before it. */
interface Edge {
  readonly seconds: number
  readonly laughed: number
  readonly loud: number
}

interface SentenceEdges {
  readonly text: string
  readonly opening: readonly Reason[]
  readonly start: Edge
  readonly end: Edge
  /** After the laugh about the sentence, if there is one. */
  readonly laughEnd: Edge | undefined
}

type Covers = Readonly<Record<'laughs' | 'loud', Cover>>

function edgesOf(sentence: Sentence, topics: readonly LabelledSegment[], { laughs, loud }: Covers): SentenceEdges {
  const { text, end, startEdge, endEdge, nextStart } = sentence
  const edgeAt = (seconds: number) => ({ seconds, laughed: laughs.until(seconds), loud: loud.until(seconds) })
  const laugh = laughs.next(end)
  const isAbout = laugh !== undefined && laugh.start <= end + laughAfterSeconds && laugh.start < nextStart
  return {
    ...{ text, opening: openingOf(sentence, topics), start: edgeAt(startEdge), end: edgeAt(endEdge) },
    laughEnd: isAbout ? edgeAt(Math.max(endEdge, Math.min(laugh.end, nextStart))) : undefined,
  }
}

/** The best stretch that begins with the first sentence. Undefined if none has the length, and a reason. */
function bestFrom(
  sentences: readonly SentenceEdges[],
  { minSeconds, maxSeconds }: Sought,
  usualLoudness: number,
): Stretch | undefined {
  const [begin] = sentences
  if (!begin) return undefined
  const secondsTo = ({ seconds }: Edge) => seconds - begin.start.seconds
  let best: Stretch | undefined
  for (const { end, laughEnd } of sentences) {
    if (secondsTo(end) > maxSeconds) break
    const isLaughedAt = laughEnd !== undefined && secondsTo(laughEnd) <= maxSeconds
    const close = isLaughedAt ? laughEnd : end
    if (secondsTo(close) < minSeconds) continue
    const stretch = stretchOf(begin, close, { isLaughedAt, usualLoudness })
    if (stretch && stretch.score > (best?.score ?? Number.NEGATIVE_INFINITY)) best = stretch
  }
  return best
}

interface Heard {
  readonly isLaughedAt: boolean
  readonly usualLoudness: number
}

/** Undefined without a reason. */
function stretchOf(
  { text, opening, start }: SentenceEdges,
  end: Edge,
  { isLaughedAt, usualLoudness }: Heard,
): Stretch | undefined {
  const seconds = end.seconds - start.seconds
  const [laughed, loud] = [end.laughed - start.laughed, end.loud - start.loud]
  // By how much its loud share is above that of the talk, in times.
  const times = loud < shortestLoudSeconds ? 0 : loud / seconds / usualLoudness - 1
  const louder = times < leastLoudness ? 0 : times
  const reasons =
    Math.min(longestLaughs, laughed) * ofLaughSecond +
    Math.min(mostLoudness, louder) * ofLoudness +
    opening.reduce((sum, { kind }) => sum + (kind === 'question' ? ofQuestion : ofTopic), 0)
  if (reasons === 0) return undefined
  const score = reasons + (isLaughedAt ? ofLaughAtEnd : 0) + seconds * ofSecond
  return { start: start.seconds, end: end.seconds, score, text, opening, isLouder: louder > 0 }
}

function openingOf({ start, end, text }: Sentence, topics: readonly LabelledSegment[]): Reason[] {
  const topic = topics[lowerBound(topics, (each) => each.start < start - topicNearSeconds)]
  const isQuestion = /\?["'”’)\]]*$/.test(text)
  return [
    ...(isQuestion ? [{ kind: 'question' as const, start, end, text }] : []),
    ...(topic && topic.start <= start + topicNearSeconds
      ? [{ kind: 'topic' as const, start: topic.start, end: topic.end, text: topic.label }]
      : []),
  ]
}

type Cover = ReturnType<typeof coverOf>

/** What segments cover, found without reading all of them. */
function coverOf(found: readonly Segment[]) {
  const segments = normalize(found)
  let before = 0
  const sums = segments.map((segment) => {
    const sum = before
    before += durationOf(segment)
    return sum
  })
  const indexAt = (seconds: number) => lowerBound(segments, ({ end }) => end <= seconds)
  const until = (seconds: number) => {
    const at = indexAt(seconds)
    const segment = segments[at]
    return segment ? (sums[at] ?? 0) + Math.max(0, seconds - segment.start) : before
  }
  return {
    /** The seconds before this time. */
    until,
    /** The one that is heard at this time, or the next one. */
    next: (seconds: number) => segments[indexAt(seconds)],
    /** The longest one of a stretch, as far as it is in it. */
    longestIn: ({ start, end }: Segment, kind: Reason['kind']): Reason[] => {
      let longest: Reason | undefined
      for (let at = indexAt(start); (segments[at]?.start ?? end) < end; at += 1) {
        const part = {
          start: Math.max(start, segments[at]?.start ?? start),
          end: Math.min(end, segments[at]?.end ?? end),
        }
        if (!longest || durationOf(part) > durationOf(longest)) longest = { kind, ...part }
      }
      return longest ? [longest] : []
    },
  }
}

interface Lengths {
  readonly min_seconds: number
  readonly max_seconds: number
}

/** The message when nothing was found. */
export function describeNoHighlight({ min_seconds: min, max_seconds: max }: Lengths): string {
  return `No stretch of whole sentences of ${min} to ${max} seconds has laughter, loud speech, a question or a topic at its beginning.`
}
