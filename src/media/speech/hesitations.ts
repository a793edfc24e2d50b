import { z } from 'zod'
import { clampTo, durationOf, intersect, joinAcross, pad, type Segment, subtract, totalDuration } from '../../core/segments.ts'
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
export async function hearPauses(spoken: readonly SpokenWord[], heard: HeardSamples): Promise<HeardSpeech> {
  const levels = measureSpeechLevels(heard)
  const found = atMost(durationOf(levels) / secondsForEach, await findHesitations(spoken, heard, levels))
  const certain = found.filter(({ isCertain }) => isCertain)
  const sounds = [...spoken.map((word) => ({ ...spanOf(word), word })), ...certain.map(spanOf)].toSorted(inOrder)
  const words: HeardWord[] = []
  const hesitations = found.filter(({ isCertain }) => !isCertain).map(asDoubtful)
  for (const [index, quiet] of quietSpansOf(sounds, levels).entries()) {
    const sound = sounds[index]
    if (sound && 'word' in sound) words.push({ ...sound.word, ...quiet })
    else hesitations.push(quiet.quietBefore === null || quiet.quietAfter === null ? asDoubtful(quiet) : quiet)
  }
  return { words, hesitations: hesitations.toSorted(inOrder) }
}

interface FoundHesitation extends Segment {
  readonly isCertain: boolean
}

/** Bounds what is kept: 1,200 in an hour. More of them are no fillers. */
const secondsForEach = 3

/** Doubtful ones are left out first. */
function atMost(count: number, found: readonly FoundHesitation[]): readonly FoundHesitation[] {
  if (found.length <= count) return found
  return found.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain)).slice(0, count)
}

function spanOf({ start, end }: Segment): Segment {
  return { start, end }
}

function asDoubtful({ start, end }: Segment): Hesitation {
  return { start, end, quietBefore: null, quietAfter: null }
}

function inOrder(a: Segment, b: Segment): number {
  return a.start - b.start
}

/** What can be a hesitation. */
interface Limits {
  readonly seconds: readonly [least: number, most: number]
  readonly minVoicedShare: number
  readonly maxChangeDb: number
}

const steady: Limits = { seconds: [0.13, 0.9], minVoicedShare: 0.75, maxChangeDb: 3.5 }
const roughlySteady: Limits = { seconds: [0.1, 1.4], minVoicedShare: 0.5, maxChangeDb: 5 }
/** What continues a word without a pause is often its last vowel. */
const longAndSteady: Limits = { ...steady, seconds: [0.25, 1.4] }

/** A word of less confidence may be a hesitation that the model wrote as a word, such as "thus" for "uh". */
const doubtfulConfidence = 0.5

async function findHesitations(
  words: readonly SpokenWord[],
  { samples, start }: HeardSamples,
  levels: SpeechLevels,
): Promise<FoundHesitation[]> {
  const turns = startTurns()
  const sampleAt = (seconds: number) => Math.max(0, Math.round((seconds - start) * modelSampleRate))
  const fits = (sound: Segment, limits: Limits) => {
    const seconds = durationOf(sound)
    if (seconds < limits.seconds[0] || seconds > limits.seconds[1]) return false
    const voice = describeVoice(samples.subarray(sampleAt(sound.start), sampleAt(sound.end)))
    return voice.voicedShare >= limits.minVoicedShare && voice.changeDb <= limits.maxChangeDb
  }
  const known = new Map<number, Segment | undefined>()
  /** The sound of a word, if it is like a hesitation: it may be one, and the word's own sound be beside it. */
  const likeHesitation = (index: number) => {
    if (!known.has(index)) {
      const sound = soundOfWord(words, index, levels)
      known.set(index, sound && fits(sound, steady) ? sound : undefined)
    }
    return known.get(index)
  }
  const found: FoundHesitation[] = []
  for (let next = 0; next <= words.length; next += 1) {
    if (turns.isDue()) await turns.next()
    for (const { sound, isApart, outsideWords } of soundsBetween(words[next - 1], words[next], levels)) {
      if (!isApart) {
        for (const part of outsideWords) if (fits(part, longAndSteady)) found.push({ ...part, isCertain: false })
      } else if (fits(sound, roughlySteady)) {
        const isClear = likeHesitation(next - 1) === undefined && likeHesitation(next) === undefined
        found.push({ ...sound, isCertain: isClear && fits(sound, steady) })
      }
    }
    const isDoubtful = (words[next]?.confidence ?? 1) < doubtfulConfidence
    const sound = isDoubtful ? likeHesitation(next) : undefined
    if (sound) found.push({ ...sound, isCertain: false })
  }
  return found
}

/** Further from words, other sounds are possible. */
const reachSeconds = 2
/** The times of words are off by less. */
const timesErrorSeconds = 0.06

interface SoundBetween {
  readonly sound: Segment
  /** Quiet is on both sides of it, and no word in it. */
  readonly isApart: boolean
  readonly outsideWords: readonly Segment[]
}

/** The sounds from the start of one word to the end of the next one. */
function* soundsBetween(
  before: Segment | undefined,
  after: Segment | undefined,
  levels: SpeechLevels,
): Generator<SoundBetween> {
  const beside = [before, after].filter((word) => word !== undefined)
  for (const stretch of stretchesBetween(before, after, levels))
    for (const sound of soundsIn(stretch, beside, levels)) {
      const isApart = isBounded(sound, stretch) && beside.every((word) => !isIn(word, sound))
      yield { sound, isApart, outsideWords: subtract([sound], pad(beside, timesErrorSeconds, stretch)) }
    }
}

function stretchesBetween(before: Segment | undefined, after: Segment | undefined, levels: SpeechLevels): Segment[] {
  const [from, to] = [before?.end ?? levels.start, after?.start ?? levels.end]
  const near = [
    ...(before ? [{ start: before.start, end: Math.min(to, from + reachSeconds) }] : []),
    ...(after ? [{ start: Math.max(from, to - reachSeconds), end: after.end }] : []),
  ]
  return clampTo(near, levels)
}

/** Around a word: enough to see whether quiet is beside it. */
const marginSeconds = 0.3

/** The sound of a word that has quiet on both sides, and no other word in it. */
function soundOfWord(words: readonly Segment[], index: number, levels: SpeechLevels): Segment | undefined {
  const word = words[index]
  if (!word) return undefined
  const [stretch] = pad([word], marginSeconds, levels)
  if (!stretch) return undefined
  const others = [words[index - 1], words[index + 1]].filter((other) => other !== undefined)
  return soundsIn(stretch, [word], levels).find(
    (sound) => isIn(word, sound) && isBounded(sound, stretch) && others.every((other) => !isIn(other, sound)),
  )
}

/** Whether enough of the word is in the sound to be no error of its times. */
function isIn(word: Segment, sound: Segment): boolean {
  const shared = totalDuration(intersect([word], [sound]))
  return shared > Math.min(timesErrorSeconds, durationOf(word) / 2)
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
