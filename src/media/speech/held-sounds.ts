import { createFourier } from '../../core/fourier.ts'
import { medianOf } from '../../core/many-numbers.ts'
import { clampTo, durationOf, joinAcross, pad, type Segment, subtract } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import { modelSampleRate } from '../../models/models.ts'
import { type HeardSamples, type SpeechLevels, samplesIn } from './quiet-moments.ts'

/** What can be a hesitation. */
interface Limits {
  readonly seconds: readonly [least: number, most: number]
  readonly minVoicedShare: number
  readonly maxChangeDb: number
}

const steady: Limits = { seconds: [0.18, 1], minVoicedShare: 0.6, maxChangeDb: 3 }
const roughlySteady: Limits = { seconds: [0.1, 1.4], minVoicedShare: 0.5, maxChangeDb: 5 }
/** What continues a word without a pause is often its last vowel. */
const longAndSteady: Limits = { seconds: [0.25, 1.4], minVoicedShare: 0.75, maxChangeDb: 3.5 }

/** A sound whose median level is further below the loudest of the quieter word is of breath, lips or an echo. */
const maxFadeDb = 16

/** A sound that is held like a vowel or a hum. */
export interface HeldSound extends Segment {
  /** Quiet is on both sides of it. */
  readonly isSteady: boolean
  /** The least quiet on one of its sides. */
  readonly quietSeconds: number
}

/** Finds held sounds between words and where words are, never far from every word. */
export async function findHeldSounds(
  words: readonly Segment[],
  heard: HeardSamples,
  levels: SpeechLevels,
): Promise<HeldSound[]> {
  const turns = startTurns()
  const fits = createJudge(heard)
  const found: HeldSound[] = []
  for (let next = 0; next <= words.length; next += 1) {
    if (turns.isDue()) await turns.next()
    for (const around of soundsBetween(words[next - 1], words[next], levels)) {
      if (turns.isDue()) await turns.next()
      // A sound can be around two gaps.
      if (around.sound.start >= (found.at(-1)?.end ?? 0)) found.push(...heldIn(around, fits))
    }
  }
  return found
}

interface SoundAround {
  readonly sound: Segment
  /** Where it was looked for. */
  readonly stretch: Segment
  /** How far other sounds, or the end of the stretch, are away at least. */
  readonly quietSeconds: number
  /** The words around the stretch. */
  readonly beside: readonly Segment[]
}

/** The sounds around a gap between words. */
function* soundsBetween(
  before: Segment | undefined,
  after: Segment | undefined,
  levels: SpeechLevels,
): Generator<SoundAround> {
  const beside = [before, after].filter((word) => word !== undefined)
  const quietest = Math.min(...beside.map(levels.loudest))
  for (const stretch of stretchesBetween(before, after, levels))
    for (const [sound, quietSeconds] of withQuiet(soundsIn(stretch, quietest, levels), stretch))
      if (medianLevel(sound, levels) >= levelBeside(sound, beside, levels) - maxFadeDb)
        yield { sound, quietSeconds, stretch, beside }
}

/** The loudest of the quieter word, of those that are not in the sound. */
function levelBeside(sound: Segment, beside: readonly Segment[], levels: SpeechLevels): number {
  const outside = beside.filter((word) => sharedSeconds(word, sound) === 0)
  return Math.min(...(outside.length > 0 ? outside : beside).map(levels.loudest))
}

function medianLevel(sound: Segment, levels: SpeechLevels): number {
  return medianOf(levels.levelsIn(sound).map(({ level }) => level)) ?? Number.NEGATIVE_INFINITY
}

type Judge = (sound: Segment, limits: Limits) => boolean

function createJudge(heard: HeardSamples): Judge {
  return (sound, { seconds: [least, most], minVoicedShare, maxChangeDb }) => {
    if (durationOf(sound) < least || durationOf(sound) > most) return false
    const voice = describeVoice(samplesIn(heard, sound))
    return voice.voicedShare >= minVoicedShare && voice.changeDb <= maxChangeDb
  }
}

/** What is held of a sound: all of it, or what is outside of words. */
function heldIn({ sound, quietSeconds, stretch, beside }: SoundAround, fits: Judge): HeldSound[] {
  const isApart = quietSeconds >= minQuietSeconds
  if (isApart && fits(sound, steady)) return [{ ...sound, quietSeconds, isSteady: true }]
  const isFree = isApart && beside.every((word) => sharedSeconds(word, sound) === 0)
  const parts = isFree ? [sound] : partsBetween(sound, stretch, beside)
  return parts
    .filter((part) => fits(part, isFree ? roughlySteady : longAndSteady))
    .map((part) => ({ ...part, quietSeconds, isSteady: false }))
}

/** A copy of the samples with these sounds as quiet as if nobody had made them. */
export function withoutSounds(heard: HeardSamples, sounds: readonly HeldSound[]): Float32Array {
  const quiet = { ...heard, samples: heard.samples.slice() }
  for (const sound of sounds) {
    const part = samplesIn(quiet, sound)
    if (sound.isSteady) part.set(part.map((sample) => sample * quietGain))
  }
  return quiet.samples
}

/** −40 dB. */
const quietGain = 0.01

/** Further from words, other sounds are possible. */
const reachSeconds = 2
/** The times of words are off by less. */
const timesErrorSeconds = 0.06

/** How long both are heard. An error of times counts as nothing. */
export function sharedSeconds(word: Segment | undefined, sound: Segment): number {
  if (!word) return 0
  const shared = Math.min(word.end, sound.end) - Math.max(word.start, sound.start)
  return shared > Math.min(timesErrorSeconds, durationOf(word) / 2) ? shared : 0
}

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

/** The parts of a sound that are in no word, from the start of the word before it to the end of the word after it. */
function partsBetween(sound: Segment, stretch: Segment, beside: readonly Segment[]): Segment[] {
  const [first, last] = [beside[0], beside.at(-1)]
  const gap = {
    start: Math.max(stretch.start, first?.start ?? 0),
    end: Math.min(stretch.end, last?.end ?? stretch.end),
  }
  return subtract(clampTo([sound], gap), pad(beside, timesErrorSeconds, stretch))
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

/** The sounds in a stretch, with quiet between them. The level of speech is that of the quieter word. */
function soundsIn(stretch: Segment, speech: number, levels: SpeechLevels): Segment[] {
  const heard = levels.levelsIn(stretch)
  const sorted = heard.map(({ level }) => level).toSorted((a, b) => a - b)
  const floor = sorted[Math.floor(sorted.length * floorShare)] ?? 0
  const limit = Math.max(speech - belowWordsDb, floor + aboveFloorDb)
  if (limit > speech - minRoomDb) return []
  const loud = heard.filter(({ level }) => level > limit)
  const cells = loud.map(({ seconds }) => ({ start: seconds, end: seconds + levels.cellSeconds }))
  return joinAcross(cells, minQuietSeconds)
}

/** Each sound with the least quiet on one of its sides. */
function withQuiet(sounds: readonly Segment[], stretch: Segment): [Segment, number][] {
  return sounds.map((sound, index) => {
    const before = sound.start - (sounds[index - 1]?.end ?? stretch.start)
    return [sound, Math.min(before, (sounds[index + 1]?.start ?? stretch.end) - sound.end)]
  })
}

/** How a stretch of sound resembles a vowel or a hum that is held. */
interface VoiceTraits {
  /** Of its frames, those with a pitch of a voice. */
  readonly voicedShare: number
  /** By how many dB the spectrum of voiced frames changes in 50 ms, whatever their level is: the median. Infinity without two of them. */
  readonly changeDb: number
}

/** A frame every 10 ms. */
const hopSamples = 160
const spectrumSamples = 512
/** How far apart the frames are that are compared. */
const framesApart = 5

/** Measures mono sound at the rate of the models. A second takes about 6 ms. */
function describeVoice(samples: Float32Array): VoiceTraits {
  const halved = halveRate(samples)
  const frames = Math.max(0, Math.floor((samples.length - 2 * pitchSamples) / hopSamples) + 1)
  const spectra = Array.from({ length: frames }, (_, frame) => {
    if (periodicity(halved.subarray((frame * hopSamples) / 2)) < minPeriodicity) return undefined
    const spectrum = bandLevels(samples.subarray(frame * hopSamples + spectrumOffset))
    const low = Math.max(...spectrum.slice(0, lowBands))
    return low > Math.max(...spectrum) - maxLowDb ? withoutLevel(spectrum) : undefined
  })
  const voiced = spectra.filter((spectrum) => spectrum !== undefined).length
  const changes = spectra.flatMap((spectrum, frame) => {
    const later = spectra[frame + framesApart]
    return spectrum && later ? [distance(spectrum, later)] : []
  })
  return {
    voicedShare: frames === 0 ? 0 : voiced / frames,
    changeDb: medianOf(changes) ?? Infinity,
  }
}

/** Half of the rate of the models. Its samples are sums of two. */
const pitchRate = modelSampleRate / 2
/** Pitches of voices: 50 to 400 Hz. */
const [shortestPeriod, longestPeriod] = [pitchRate / 400, pitchRate / 50]
/** 25 ms are compared with 25 ms a period later. */
const comparedSamples = pitchRate / 40
const pitchSamples = comparedSamples + longestPeriod
/** Both are around the same moment. */
const spectrumOffset = pitchSamples - spectrumSamples / 2

/** The correlation of a frame with the same frame a period later, at the best period. Measured: voices 0.7 to 1, breath and noise below 0.5. */
const minPeriodicity = 0.6

function halveRate(samples: Float32Array): Float32Array {
  return Float32Array.from(
    { length: samples.length >> 1 },
    (_, index) => (samples[2 * index] ?? 0) + (samples[2 * index + 1] ?? 0),
  )
}

function periodicity(samples: Float32Array): number {
  const product = (lag: number, otherLag: number) => {
    let sum = 0
    for (let at = 0; at < comparedSamples; at += 1) sum += (samples[at + lag] ?? 0) * (samples[at + otherLag] ?? 0)
    return sum
  }
  const energy = product(0, 0)
  let [best, laterEnergy] = [0, product(shortestPeriod, shortestPeriod)]
  for (let period = shortestPeriod; period <= longestPeriod; period += 1) {
    const correlation = product(0, period) / Math.sqrt(energy * laterEnergy + 1e-12)
    if (correlation > best) best = correlation
    laterEnergy += (samples[period + comparedSamples] ?? 0) ** 2 - (samples[period] ?? 0) ** 2
  }
  return best
}

/** Bands of 600 Hz, one every 240 Hz: each has harmonics of every voice. */
const bands = 16
const bandHertz = 240
const bandReachHertz = 300
/** A voice has its pitch in the lowest bands. Beeps and whistles do not. */
const lowBands = 2
const maxLowDb = 25
/** What is further below the loudest band is noise. */
const rangeDb = 45

const fourier = createFourier(spectrumSamples)

const hann = Float64Array.from(
  { length: spectrumSamples },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / spectrumSamples),
)

/** For each band, its bins with their weights. */
const bandFilters = Array.from({ length: bands }, (_, band) => {
  const middle = bandHertz * (band + 1)
  return Array.from({ length: spectrumSamples / 2 }, (_, bin) => {
    const away = Math.abs((bin * modelSampleRate) / spectrumSamples - middle)
    return [bin, 1 - away / bandReachHertz] as const
  }).filter(([, weight]) => weight > 0)
})

/** In dB. */
function bandLevels(samples: Float32Array): number[] {
  const real = Float64Array.from(hann, (weight, index) => (samples[index] ?? 0) * weight)
  const imaginary = new Float64Array(spectrumSamples)
  fourier.transform(real, imaginary)
  const levels = bandFilters.map((filter) => {
    let power = 1e-12
    for (const [bin, weight] of filter) power += weight * ((real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2)
    return 10 * Math.log10(power)
  })
  const lowest = Math.max(...levels) - rangeDb
  return levels.map((level) => Math.max(level, lowest))
}

function withoutLevel(spectrum: readonly number[]): number[] {
  const mean = spectrum.reduce((sum, level) => sum + level, 0) / spectrum.length
  return spectrum.map((level) => level - mean)
}

/** The root mean square of the differences. */
function distance(one: readonly number[], other: readonly number[]): number {
  const sum = one.reduce((total, level, band) => total + (level - (other[band] ?? 0)) ** 2, 0)
  return Math.sqrt(sum / one.length)
}
