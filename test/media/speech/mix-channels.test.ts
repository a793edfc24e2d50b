import { describe, expect, it } from 'vitest'
import { createChannelMixer } from '../../../src/media/speech/mix-channels.ts'
import { modelSampleRate } from '../../../src/models/models.ts'

const seconds = 3
const length = seconds * modelSampleRate
const indexes = Array.from({ length }, (_, index) => index)
/** Syllables: bursts of a voice's partials, four a second. */
const voice = (hertz: number, beats = 4) =>
  indexes.map((index) => {
    const time = index / modelSampleRate
    const partials = [1, 2, 3, 5, 8].reduce((sum, n) => sum + Math.sin(2 * Math.PI * hertz * n * time + n) / n, 0)
    return 4_000 * Math.max(0, Math.sin(Math.PI * beats * time)) * partials
  })
const speaker = voice(120)
const other = voice(187, 5.3)
const silence = speaker.map(() => 0)
const delayed = (samples: number[], by: number) => samples.map((_, index) => samples[index - by] ?? 0)
const inverted = (samples: number[]) => samples.map((sample) => -sample)
const plus = (a: number[], b: number[], share = 1) => a.map((sample, index) => sample + share * (b[index] ?? 0))

function mix(channels: number[][], chunk = 1_000) {
  const mixer = createChannelMixer(channels.length, length)
  const interleaved = Int16Array.from(indexes.flatMap((index) => channels.map((channel) => channel[index] ?? 0)))
  for (let at = 0; at < interleaved.length; at += chunk * channels.length)
    mixer.push(interleaved.subarray(at, at + chunk * channels.length))
  return mixer.finish()
}

const levelOf = (samples: Iterable<number>, scale = 1) => {
  const all = [...samples]
  return 10 * Math.log10(all.reduce((sum, sample) => sum + (sample / scale) ** 2, 0) / all.length)
}
const ofVoice = levelOf(speaker, 32_768)
/** The highest share of a sound in the mix, at any phase, in dB against the sound alone: by the magnitude of its partials. */
const partialLevel = (samples: Float32Array, hertz: number) => {
  let [real, imaginary] = [0, 0]
  for (const [index, sample] of samples.entries()) {
    const angle = (2 * Math.PI * hertz * index) / modelSampleRate
    real += sample * Math.cos(angle)
    imaginary += sample * Math.sin(angle)
  }
  return 20 * Math.log10(Math.hypot(real, imaginary) / length)
}

describe('one channel of several', () => {
  it.each([
    ['equal ones', [speaker, speaker], false],
    ['those of which one is silent', [silence, speaker], false],
    ['inverted ones', [speaker, inverted(speaker)], true],
    ['six with one speaker', [silence, silence, silence, speaker, silence, silence], false],
    ['three of which two are inverted', [speaker, inverted(speaker), silence], true],
    ['sixteen of which the last speaks', [...Array.from({ length: 15 }, () => silence), speaker], false],
  ])('is as loud as the speaker in %s', (_, channels, hasOpposedChannels) => {
    const mixed = mix(channels)
    expect(mixed.hasOpposedChannels).toBe(hasOpposedChannels)
    expect(levelOf(mixed.samples)).toBeGreaterThan(ofVoice - 3.2)
    expect(levelOf(mixed.samples)).toBeLessThan(ofVoice + 3.2)
  })

  it('has the samples of the average where that loses nothing', () => {
    const { samples } = mix([speaker, plus(speaker, other)])
    const average = plus(speaker, other, 0.5).map((sample) => Math.trunc(sample) / 32_768)
    for (const [index, sample] of samples.entries()) expect(Math.abs(sample - (average[index] ?? 0))).toBeLessThan(1e-4)
  })

  it('keeps a speaker of whom a third is inverted', () => {
    const partly = speaker.map((sample, index) => (index > length / 3 && index < (2 * length) / 3 ? -sample : sample))
    const { samples, hasOpposedChannels } = mix([speaker, partly])
    expect(hasOpposedChannels).toBe(true)
    const third = samples.subarray(length / 3 + 2_000, (2 * length) / 3 - 2_000)
    expect(levelOf(third)).toBeGreaterThan(
      levelOf(speaker.slice(length / 3 + 2_000, (2 * length) / 3 - 2_000), 32_768) - 1,
    )
  })

  it('keeps an inverted speaker beside music that is the same in both channels', () => {
    const [left, right] = [plus(other, speaker), plus(other, speaker, -1)]
    const { samples, hasOpposedChannels } = mix([left, right])
    expect(hasOpposedChannels).toBe(true)
    const alone = Float32Array.from(speaker, (sample) => sample / 32_768)
    expect(partialLevel(samples, 240)).toBeGreaterThan(partialLevel(alone, 240) - 4)
  })

  it('keeps a speaker who reaches the channels one after the other', () => {
    for (const by of [8, 40, 67, 133]) {
      const { samples } = mix([speaker, delayed(speaker, by)])
      expect(levelOf(samples)).toBeGreaterThan(ofVoice - 5)
    }
  })

  it('is the same however its samples come', () => {
    const channels = [speaker, inverted(other), silence]
    expect(mix(channels, 77)).toEqual(mix(channels, 4_096))
  })
})
