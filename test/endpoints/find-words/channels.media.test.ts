import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectLaughterEndpoint } from '../../../src/endpoints/audio-detect-laughter/declaration.ts'
import { findWordsEndpoint } from '../../../src/endpoints/audio-find-words/declaration.ts'
import { laughSamples } from '../../fixtures/laugh.ts'
import { speech } from '../../fixtures/make.ts'
import { pcmOf, temporaryFolder } from '../../media/measure.ts'
import { manyChannelWav } from '../../media/wav.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const rate = 16_000
const quiet = (samples: Int16Array) => samples.map((sample) => sample / 2)
const inverted = (samples: Int16Array) => samples.map((sample) => -sample)
const silent = (samples: Int16Array) => samples.map(() => 0)
const late = (samples: Int16Array, by: number) => samples.map((_, index) => samples[index - by] ?? 0)
/** The masks of WAV for the channels of 5.1, in its order: left, right, centre, bass, and two at the back. */
const surroundMask = 0x3f

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')
const sentence = wordsOf('If you would like to learn more technical information about Asterisk')

const write = async (channels: readonly Int16Array[], mask?: number) => {
  const file = path.join(temporaryFolder(), 'channels.wav')
  await writeFile(file, manyChannelWav(channels, rate, mask))
  return file
}

describe.skipIf(!models.has('transcribe'))(
  `words in channels that cancel each other or say nothing${whySkipped}`,
  () => {
    let voice = new Int16Array()
    beforeAll(async () => {
      voice = quiet(await pcmOf(speech, `aresample=${rate},atrim=end=6`))
    })

    it.each([
      ['the other inverted', () => [voice, inverted(voice)], true],
      [
        'the other inverted for two of six seconds',
        () => {
          const second = voice.map((sample, index) => (index > 2 * rate && index < 4 * rate ? -sample : sample))
          return [voice, second]
        },
        true,
      ],
      ['the other silent', () => [silent(voice), voice], false],
      ['the other 4 ms late', () => [voice, late(voice, 64)], undefined],
      [
        'an inverted voice over music that both have',
        () => {
          const music = voice.map((_, index) => 700 * Math.sin(index * 0.21) * (1 + Math.sin(index * 0.0007)))
          return [
            voice.map((sample, index) => sample + (music[index] ?? 0)),
            voice.map((sample, index) => (music[index] ?? 0) - sample),
          ]
        },
        true,
      ],
      [
        'five others silent, in no known layout',
        () => [0, 1, 2, 3, 4, 5].map((channel) => (channel === 3 ? voice : silent(voice))),
        false,
      ],
      ['two others silent, in no known layout', () => [silent(voice), silent(voice), voice], false],
      ['six others silent, in no known layout', () => [...[0, 1, 2, 3, 4, 5].map(() => silent(voice)), voice], false],
      ['fifteen others silent', () => [...Array.from({ length: 15 }, () => silent(voice)), voice], false],
      [
        'the voice in the bass of 5.1',
        () => [0, 1, 2, 3, 4, 5].map((channel) => (channel === 3 ? voice : silent(voice))),
        false,
        surroundMask,
      ],
    ] as const)('are found with %s', async (_, channels, isOpposed, mask?: number) => {
      const output = await runEndpoint(findWordsEndpoint, {
        file: await write(channels(), mask),
        ...{ models, mayWarn: true },
      })
      const { transcript } = z.object({ transcript: z.object({ text: z.string() }) }).parse(output.result)
      const heard = wordsOf(transcript.text)
      const missed = sentence.filter((word) => !heard.includes(word))
      // What is late cancels some tones: processors, which round differently, hear all of it or miss a word.
      if (isOpposed === undefined) return expect(missed.length).toBeLessThanOrEqual(1)
      expect(missed).toEqual([])
      expect(output.warnings).toEqual(isOpposed ? [expect.stringContaining('cancel each other')] : [])
    })
  },
)

describe.skipIf(!models.has('sound-tags'))(`laughter${whySkipped}`, () => {
  it('is found where one channel is inverted', async () => {
    const sound = Int16Array.from([...silent(laughSamples(2)), ...laughSamples(2.5), ...silent(laughSamples(2))])
    const output = await runEndpoint(detectLaughterEndpoint, {
      ...{ file: await write([sound, inverted(sound)]), models, mayWarn: true },
      settings: { threshold: 0.15 },
    })
    expect(z.object({ segments: z.array(z.unknown()) }).parse(output.result).segments).toHaveLength(1)
    expect(output.warnings).toEqual([expect.stringContaining('cancel each other')])
  })
})
