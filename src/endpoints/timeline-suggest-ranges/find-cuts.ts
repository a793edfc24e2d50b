import type { Segment } from '../../core/segments.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'
import { wordsOf } from '../match-words.ts'
import { findPhrases, type WordSpan } from './find-phrases.ts'
import { findRepeats, type SaidWord } from './find-repeats.ts'
import { findText } from './keep-text.ts'
import { quietEdges } from './quiet-edges.ts'

export interface WordsToCut {
  readonly removeWords: readonly string[]
  readonly removeRepeats: boolean
  /** What is not in it is cut. */
  readonly keepText: string | undefined
}

export interface TextCut extends Segment {
  readonly text: string
  readonly reason: CutReason
}

export type CutReason = 'word' | 'repeat' | 'not_in_text'

export interface TextCuts {
  /** In order and without overlap. Those that touch are one cut. */
  readonly cuts: readonly TextCut[]
  /** What stays because no quiet moment is beside it. */
  readonly uncut: readonly TextCut[]
  /** What nobody said of the text to keep. */
  readonly missing: readonly string[]
}

/** Words that are cut together or not at all. */
interface Unwanted extends WordSpan {
  readonly reason: CutReason
}

/** Cuts the unwanted words in the quiet moments beside them. Every other word stays whole. */
export async function findCuts(words: readonly EarlierWord[], within: Segment, wanted: WordsToCut): Promise<TextCuts> {
  const { unwanted, missing } = await findUnwanted(words, wanted)
  const edges = quietEdges(words, within)
  const cuts: TextCut[] = []
  const uncut: TextCut[] = []
  for (const run of runsOf(unwanted)) {
    let [from, to] = [0, run.length]
    while (from < to && edges.before(run[from]?.first ?? 0) === undefined) from += 1
    while (from < to && edges.after((run[to - 1]?.end ?? 0) - 1) === undefined) to -= 1
    uncut.push(...[...run.slice(0, from), ...run.slice(to)].map((each) => describe(words, each)))
    const described = run.slice(from, to).map((each) => describe(words, each))
    const [first, last] = [run[from], run[to - 1]]
    if (!first || !last || described.length === 0) continue
    cuts.push(
      ...described.map((each, index) => ({
        ...each,
        start: index === 0 ? (edges.before(first.first) ?? each.start) : each.start,
        end: described[index + 1]?.start ?? edges.after(last.end - 1) ?? each.end,
      })),
    )
  }
  return { cuts: joinAlike(cuts), uncut: joinAlike(uncut), missing }
}

/** In order, and without overlap. */
async function findUnwanted(words: readonly EarlierWord[], { keepText, removeWords, removeRepeats }: WordsToCut) {
  const texts = words.map(({ text }) => text)
  const text = keepText === undefined ? undefined : await findText(keepText, texts)
  const others = text ? [...texts.keys()].filter((at) => !text.kept.has(at)) : []
  const notInText = others.map((at): Unwanted => ({ first: at, end: at + 1, reason: 'not_in_text' }))
  const phrases = removeWords.map(wordsOf)
  const found = withoutOverlap([
    ...notInText,
    ...spansIn(words, notInText, 'word', (said) =>
      findPhrases(
        said.map(({ word }) => word),
        phrases,
      ),
    ),
  ])
  const repeats = removeRepeats ? spansIn(words, found, 'repeat', findRepeats) : []
  return { unwanted: withoutOverlap([...found, ...repeats]), missing: text?.missing ?? [] }
}

/** What is found in the words that are left without the unwanted ones. What begins or ends within a word such as `well-known` does not count. */
function spansIn(
  words: readonly EarlierWord[],
  unwanted: readonly Unwanted[],
  reason: CutReason,
  find: (said: readonly SaidWord[]) => readonly WordSpan[],
): Unwanted[] {
  const dropped = new Set(
    unwanted.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, at) => first + at)),
  )
  const left = words.flatMap(({ text }, at) => {
    if (dropped.has(at)) return []
    const parts = wordsOf(text)
    const endsSentence = /[.?!]["'”’)\]]*$/.test(text)
    return parts.map((word, part) => ({ word, at, endsSentence: endsSentence && part === parts.length - 1 }))
  })
  return find(left).flatMap(({ first, end }) => {
    const [start, last] = [left[first]?.at ?? 0, left[end - 1]?.at ?? 0]
    if (left[first - 1]?.at === start || left[end]?.at === last) return []
    return [{ first: start, end: last + 1, reason }]
  })
}

/** In order. One that others lie within, between its words, contains them. */
function withoutOverlap(spans: readonly Unwanted[]): Unwanted[] {
  const kept: Unwanted[] = []
  for (const span of spans.toSorted((a, b) => a.first - b.first || b.end - a.end))
    if (span.first >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** Groups of those that follow each other. */
function runsOf(spans: readonly Unwanted[]): Unwanted[][] {
  const runs: Unwanted[][] = []
  for (const span of spans) {
    const run = runs.at(-1)
    if (run?.at(-1)?.end === span.first) run.push(span)
    else runs.push([span])
  }
  return runs
}

function describe(words: readonly EarlierWord[], { first, end, reason }: Unwanted): TextCut {
  const said = words.slice(first, end)
  const text = said.map((word) => word.text).join(' ')
  return { start: said[0]?.start ?? 0, end: said.at(-1)?.end ?? 0, text, reason }
}

/** Joins neighbours with the same reason. */
function joinAlike(cuts: readonly TextCut[]): TextCut[] {
  const joined: TextCut[] = []
  for (const cut of cuts) {
    const last = joined.at(-1)
    if (last?.reason === cut.reason && last.end === cut.start)
      joined[joined.length - 1] = { ...last, end: cut.end, text: `${last.text} ${cut.text}` }
    else joined.push(cut)
  }
  return joined
}
