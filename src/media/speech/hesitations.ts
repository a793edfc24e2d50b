import { z } from 'zod'
import { isFillerSound } from '../../core/fillers.ts'
import { byStart, durationOf, type Segment } from '../../core/segments.ts'
import type { SpokenWord } from '../../models/models.ts'
import { type HeldSound, sharedSeconds } from './held-sounds.ts'
import { type HeardWord, quietSpansOf, type SpeechLevels } from './quiet-moments.ts'

/**
 * A steady voiced sound with no word in the transcript: a filler such as "uh", of which transcripts leave out most. The moments at which
 * cuts beside it are quiet are null if it is doubtful.
 */
export const hesitation = z.object({
  start: z.number(),
  end: z.number(),
  quietBefore: z.number().nullable(),
  quietAfter: z.number().nullable(),
})

export type Hesitation = z.output<typeof hesitation>

export interface HeardSpeech {
  readonly words: readonly HeardWord[]
  readonly hesitations: readonly Hesitation[]
}

/** The words with the quiet moments beside them, and the hesitations around them. */
export async function hearPauses({ words: spoken, found }: JudgedSounds, levels: SpeechLevels): Promise<HeardSpeech> {
  const kept = atMost(mostIn(durationOf(levels)), found)
  const sounds: readonly PlacedSound[] = [
    ...spoken.map((word) => ({ start: word.start, end: word.end, word })),
    ...kept.filter(({ isCertain, word }) => isCertain && !word).map(({ start, end }) => ({ start, end })),
  ].toSorted(byStart)
  const asWords = new Set(kept.filter(({ isCertain }) => isCertain).map(({ word }) => word))
  const words: HeardWord[] = []
  const hesitations = kept.filter(({ isCertain }) => !isCertain).map(asDoubtful)
  for (const [index, quiet] of (await quietSpansOf(sounds, levels)).entries()) {
    const word = sounds[index]?.word
    if (word) words.push({ ...word, ...quiet })
    if (!word || asWords.has(word))
      hesitations.push(quiet.quietBefore === null || quiet.quietAfter === null ? asDoubtful(quiet) : quiet)
  }
  return { words, hesitations: hesitations.toSorted(byStart) }
}

interface PlacedSound extends Segment {
  /** A hesitation has none. */
  readonly word?: SpokenWord
}

interface FoundHesitation extends Segment {
  readonly isCertain: boolean
  /** Of the transcript, if it has one for it. */
  readonly word?: SpokenWord | undefined
}

/** Bounds what is kept: 1,200 in an hour. More of them are no fillers. */
function mostIn(seconds: number): number {
  return Math.ceil(10 + seconds / 3)
}

/** Doubtful ones are left out first. */
function atMost(count: number, found: readonly FoundHesitation[]): readonly FoundHesitation[] {
  if (found.length <= count) return found
  return found.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain)).slice(0, count)
}

function asDoubtful({ start, end }: Segment): Hesitation {
  return { start, end, quietBefore: null, quietAfter: null }
}

interface JudgedSounds {
  readonly words: readonly SpokenWord[]
  readonly found: readonly FoundHesitation[]
}

/**
 * Which held sounds are hesitations: those without which the same words are heard. A word whose times were those of such a sound gets
 * the times that it has without it. Where a word is not heard without the sound, it is in it; but a doubtful word may be one that the
 * model made of a hesitation, such as "thus" of "uh".
 */
export function judgeHeldSounds(
  words: readonly SpokenWord[],
  without: readonly SpokenWord[],
  sounds: readonly HeldSound[],
): JudgedSounds {
  const same = pairWords(words, without)
  const retimed: (SpokenWord | undefined)[] = [...words]
  const found: FoundHesitation[] = []
  for (const { isSteady, quietSeconds, start, end } of sounds) {
    const sound = { start, end }
    const inside = [...words.keys()].filter((index) => sharedSeconds(words[index], sound) > 0)
    const beside = [words.findLastIndex((word) => word.end <= start), words.findIndex((word) => word.start >= end)]
    const isFiller = (index: number) => isFillerSound(lettersOf(words[index]))
    const [fillers, others] = [inside.filter(isFiller), inside.filter((index) => !isFiller(index))]
    const isElsewhere = (index: number) => same.has(index) && sharedSeconds(same.get(index), sound) === 0
    const isClear = beside.every((index) => index < 0 || isFiller(index) || same.has(index))
    const near = [...beside, ...others].filter((index) => index >= 0 && same.has(index))
    const changes = near.map((index) => (same.get(index)?.confidence ?? 0) - (words[index]?.confidence ?? 0))
    const isHeardAsWell = isAsCertain(changes, quietSeconds)
    if (isSteady && isClear && isHeardAsWell && others.every(isElsewhere)) {
      for (const index of others) retimed[index] = at(words[index], same.get(index))
      // The second sound of a filler has no word of its own.
      const own = fillers.filter((index) => fillers.length === 1 && retimed[index] === words[index])
      for (const index of own) retimed[index] = at(words[index], sound)
      found.push({ ...sound, isCertain: fillers.length < 2, word: retimed[own[0] ?? -1] })
    } else if (others.every((index) => isElsewhere(index) || (words[index]?.confidence ?? 1) < doubtfulConfidence))
      found.push({ ...sound, isCertain: false })
  }
  return { words: retimed.filter((word) => word !== undefined), found }
}

/** A word of less confidence may be a hesitation that the model wrote as a word, such as "thus" for "uh". */
const doubtfulConfidence = 0.6

/** Without a syllable of it, a word is less certain, and without a hesitation beside it, more. */
const maxLoss = 0.15
const minGain = 0.01
/** Within words, quiet is shorter: in recordings of telephones, an `s` is quiet. */
const safeQuietSeconds = 0.12

/** Whether the words near a sound are as certain without it: more so, if little quiet is beside it. */
function isAsCertain(changes: readonly number[], quietSeconds: number): boolean {
  const isShort = quietSeconds < safeQuietSeconds
  return Math.min(...changes) > -maxLoss && (!isShort || Math.max(...changes) > minGain)
}

function at(word: SpokenWord | undefined, { start, end }: Segment = { start: 0, end: 0 }): SpokenWord | undefined {
  return word && { ...word, start, end }
}

/** For words by their index, the same words of the other list: the longest common sequence. */
function pairWords(ones: readonly SpokenWord[], others: readonly SpokenWord[]): Map<number, SpokenWord> {
  const [texts, otherTexts] = [ones.map(lettersOf), others.map(lettersOf)]
  const width = others.length + 1
  const longest = new Uint16Array((ones.length + 1) * width)
  const at = (one: number, other: number) => longest[one * width + other] ?? 0
  for (let one = ones.length - 1; one >= 0; one -= 1)
    for (let other = others.length - 1; other >= 0; other -= 1) {
      const isSame = texts[one] === otherTexts[other]
      longest[one * width + other] = isSame
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1))
    }
  const pairs = new Map<number, SpokenWord>()
  for (let [one, other] = [0, 0]; one < ones.length && other < others.length; ) {
    const word = others[other]
    if (word && texts[one] === otherTexts[other]) {
      pairs.set(one, word)
      one += 1
      other += 1
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1
    else other += 1
  }
  return pairs
}

function lettersOf(word: SpokenWord | undefined): string {
  return (word?.text ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
