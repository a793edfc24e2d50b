import { z } from 'zod'
import { clampTo, durationOf, joinAcross, pad, type Segment, subtract } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import { modelSampleRate, type SpokenWord } from '../../models/models.ts'
import {
  type HeardSamples,
  type HeardWord,
  measureSpeechLevels,
  quietSpansOf,
  type SpeechLevels,
} from './quiet-moments.ts'
import { describeVoice } from './steady-voice.ts'

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

interface HeardSpeech {
  readonly words: readonly HeardWord[]
  readonly hesitations: readonly Hesitation[]
}

/** The words with the quiet moments beside them, and the hesitations around them. */
export function hearPauses({ words: spoken, found }: JudgedSounds, heard: HeardSamples): HeardSpeech {
  const levels = measureSpeechLevels(heard)
  const kept = atMost(mostIn(durationOf(levels)), found)
  const sounds: readonly PlacedSound[] = [
    ...spoken.map((word) => ({ start: word.start, end: word.end, word })),
    ...kept.filter(({ isCertain, word }) => isCertain && !word).map(({ start, end }) => ({ start, end })),
  ].toSorted(inOrder)
  const asWords = new Set(kept.filter(({ isCertain }) => isCertain).map(({ word }) => word))
  const words: HeardWord[] = []
  const hesitations = kept.filter(({ isCertain }) => !isCertain).map(asDoubtful)
  for (const [index, quiet] of quietSpansOf(sounds, levels).entries()) {
    const word = sounds[index]?.word
    if (word) words.push({ ...word, ...quiet })
    if (!word || asWords.has(word))
      hesitations.push(quiet.quietBefore === null || quiet.quietAfter === null ? asDoubtful(quiet) : quiet)
  }
  return { words, hesitations: hesitations.toSorted(inOrder) }
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

function inOrder(a: Segment, b: Segment): number {
  return a.start - b.start
}

export interface JudgedSounds {
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
  for (const { isSteady, start, end } of sounds) {
    const sound = { start, end }
    const inside = [...words.keys()].filter((index) => sharedSeconds(words[index], sound) > 0)
    const beside = [words.findLastIndex((word) => word.end <= start), words.findIndex((word) => word.start >= end)]
    const isFiller = (index: number) => fillerSpelling.test(lettersOf(words[index]))
    const [fillers, others] = [inside.filter(isFiller), inside.filter((index) => !isFiller(index))]
    const isElsewhere = (index: number) => same.has(index) && sharedSeconds(same.get(index), sound) === 0
    const isClear = beside.every((index) => index < 0 || isFiller(index) || same.has(index))
    if (isSteady && isClear && others.every(isElsewhere)) {
      for (const index of others) retimed[index] = at(words[index], same.get(index))
      const [filler, second] = fillers
      if (filler !== undefined && second === undefined) retimed[filler] = at(words[filler], sound)
      found.push({ ...sound, isCertain: second === undefined, word: retimed[filler ?? -1] })
    } else if (others.every((index) => isElsewhere(index) || (words[index]?.confidence ?? 1) < doubtfulConfidence))
      found.push({ ...sound, isCertain: false })
  }
  return { words: retimed.filter((word) => word !== undefined), found }
}

/** How transcripts write hesitations, if they do. */
const fillerSpelling = /^(?:a+h+|u+h*m*|e+r+m*|h*m+)$/

function at(word: SpokenWord | undefined, { start, end }: Segment = { start: 0, end: 0 }): SpokenWord | undefined {
  return word && { ...word, start, end }
}

/** How long both are heard. An error of times counts as nothing. */
function sharedSeconds(word: Segment | undefined, sound: Segment): number {
  if (!word) return 0
  const shared = Math.min(word.end, sound.end) - Math.max(word.start, sound.start)
  return shared > Math.min(timesErrorSeconds, durationOf(word) / 2) ? shared : 0
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

/** What can be a hesitation. */
interface Limits {
  readonly seconds: readonly [least: number, most: number]
  readonly minVoicedShare: number
  readonly maxChangeDb: number
}

const steady: Limits = { seconds: [0.18, 1], minVoicedShare: 0.6, maxChangeDb: 4.2 }
const roughlySteady: Limits = { seconds: [0.1, 1.4], minVoicedShare: 0.5, maxChangeDb: 5 }
/** What continues a word without a pause is often its last vowel. */
const longAndSteady: Limits = { seconds: [0.25, 1.4], minVoicedShare: 0.75, maxChangeDb: 3.5 }

/** A word of less confidence may be a hesitation that the model wrote as a word, such as "thus" for "uh". */
const doubtfulConfidence = 0.6

/** Sounds that are further below the words around them are of breath, lips and the room. */
const maxFadeDb = 14

/** A sound that is held like a vowel or a hum. */
export interface HeldSound extends Segment {
  /** Quiet is on both sides of it. */
  readonly isSteady: boolean
}

/** The held sounds between words and in their place. Without a word nearby there are none. */
export async function findHeldSounds(words: readonly SpokenWord[], heard: HeardSamples): Promise<HeldSound[]> {
  const turns = startTurns()
  const levels = measureSpeechLevels(heard)
  const sampleAt = (seconds: number) => Math.max(0, Math.round((seconds - heard.start) * modelSampleRate))
  const fits = (sound: Segment, limits: Limits) => {
    const seconds = durationOf(sound)
    if (seconds < limits.seconds[0] || seconds > limits.seconds[1]) return false
    const voice = describeVoice(heard.samples.subarray(sampleAt(sound.start), sampleAt(sound.end)))
    return voice.voicedShare >= limits.minVoicedShare && voice.changeDb <= limits.maxChangeDb
  }
  const found: HeldSound[] = []
  for (let next = 0; next <= words.length; next += 1) {
    const beside = [words[next - 1], words[next]].filter((word) => word !== undefined)
    for (const stretch of stretchesBetween(words[next - 1], words[next], levels))
      for (const sound of soundsIn(stretch, beside, levels)) {
        if (turns.isDue()) await turns.next()
        const isLoud = levels.loudest(sound) >= Math.min(...beside.map((word) => levels.loudest(word))) - maxFadeDb
        if (!isLoud || sound.start < (found.at(-1)?.end ?? 0)) continue
        const isFree = beside.every((word) => sharedSeconds(word, sound) === 0)
        if (isBounded(sound, stretch) && fits(sound, steady)) found.push({ ...sound, isSteady: true })
        else if (isBounded(sound, stretch) && isFree) {
          if (fits(sound, roughlySteady)) found.push({ ...sound, isSteady: false })
        } else {
          const between = clampTo([sound], gapBetween(beside, stretch))
          for (const part of subtract(between, pad(beside, timesErrorSeconds, stretch)))
            if (fits(part, longAndSteady)) found.push({ ...part, isSteady: false })
        }
      }
  }
  return found
}

/** The samples with these sounds as quiet as if nobody had made them. */
export function withoutSounds({ samples, start }: HeardSamples, sounds: readonly HeldSound[]): Float32Array {
  const quiet = samples.slice()
  for (const sound of sounds) {
    if (!sound.isSteady) continue
    const first = Math.round((sound.start - start) * modelSampleRate)
    const end = Math.round((sound.end - start) * modelSampleRate)
    for (let at = Math.max(0, first); at < end; at += 1) quiet[at] = (quiet[at] ?? 0) * quietGain
  }
  return quiet
}

/** −40 dB. */
const quietGain = 0.01

/** Further from words, other sounds are possible. */
const reachSeconds = 2
/** The times of words are off by less. */
const timesErrorSeconds = 0.06

/** Around words: enough to see whether quiet is beside them. */
const marginSeconds = 0.3

/** From a little before one word to a little after the next one. */
function stretchesBetween(before: Segment | undefined, after: Segment | undefined, levels: SpeechLevels): Segment[] {
  const [from, to] = [before?.end ?? levels.start, after?.start ?? levels.end]
  const near = [
    ...(before ? [{ start: before.start - marginSeconds, end: Math.min(to, from + reachSeconds) }] : []),
    ...(after ? [{ start: Math.max(from, to - reachSeconds), end: after.end + marginSeconds }] : []),
  ]
  return clampTo(near, levels)
}

/** From the start of the word before to the end of the word after. */
function gapBetween(beside: readonly Segment[], stretch: Segment): Segment {
  const [first, last] = [beside[0], beside.at(-1)]
  return { start: Math.max(stretch.start, first?.start ?? 0), end: Math.min(stretch.end, last?.end ?? stretch.end) }
}

/** Shorter quiet stretches are within words: before the `t` of "better" for example. */
const minQuietSeconds = 0.06
/** Quiet is this much below the quieter of the words, and at least this much above what is quietest. */
const belowWordsDb = 22
const aboveFloorDb = 6
/** In noise that leaves less between speech and quiet, nothing is told apart. */
const minRoomDb = 12
/** Of the levels of a stretch, the noise floor. */
const floorShare = 0.05

/** The sounds in a stretch, with quiet between them. */
function soundsIn(stretch: Segment, words: readonly Segment[], levels: SpeechLevels): Segment[] {
  const heard = levels.levelsIn(stretch)
  const speech = Math.min(...words.map((word) => levels.loudest(word)))
  const sorted = heard.map(({ level }) => level).toSorted((a, b) => a - b)
  const floor = sorted[Math.floor(sorted.length * floorShare)] ?? 0
  const limit = Math.max(speech - belowWordsDb, floor + aboveFloorDb)
  if (limit > speech - minRoomDb) return []
  const loud = heard.filter(({ level }) => level > limit)
  const cells = loud.map(({ seconds }) => ({ start: seconds, end: seconds + levels.cellSeconds }))
  return joinAcross(cells, minQuietSeconds)
}

/** Whether the quiet on both sides of the sound is in the stretch. */
function isBounded(sound: Segment, stretch: Segment): boolean {
  return sound.start - stretch.start >= minQuietSeconds && stretch.end - sound.end >= minQuietSeconds
}
