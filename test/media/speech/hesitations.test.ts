import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findHeldSounds, withoutSounds } from '../../../src/media/speech/held-sounds.ts'
import { hearPauses, judgeHeldSounds } from '../../../src/media/speech/hesitations.ts'
import { measureSpeechLevels } from '../../../src/media/speech/quiet-moments.ts'
import { modelSampleRate, type SpokenWord } from '../../../src/models/models.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'
import { madeGlide, madeNoise, madeSound, madeVoice } from './made-voice.ts'

const word = (start: number, end: number, confidence = 0.9) => ({ text: 'word', start, end, confidence })
/** A word from 0.5 to 1 s, and one from 3 to 3.5 s. */
const words = [word(0.5, 1), word(3, 3.5)]
const wordSounds = words.map(({ start, end }) => ({ at: start, samples: madeGlide(end - start) }))

/** What is found where these words are heard, and `without` the held sounds. */
async function judge(samples: Float32Array, spoken: SpokenWord[], without = spoken) {
  const heard = { samples, start: 0 }
  const levels = await measureSpeechLevels(heard)
  return hearPauses(judgeHeldSounds(spoken, without, await findHeldSounds(spoken, heard, levels)), levels)
}
const hear = (sound: { at: number; samples: Float32Array }[], spoken = words, without = spoken) =>
  judge(madeSound(4, [...wordSounds, ...sound]), spoken, without)
const near = (seconds: number) => expect.closeTo(seconds, 1)

describe('hesitations', () => {
  it.each([
    ['uh, by a man', { seconds: 0.3 }],
    ['uh, by a woman', { seconds: 0.3, pitch: 210 }],
    [
      'mm',
      {
        seconds: 0.4,
        formants: [
          [250, 250],
          [1_100, 1_100],
        ] as const,
      },
    ],
  ])('are held voices with quiet on both sides: %s', async (_what, made) => {
    const { hesitations } = await hear([{ at: 1.8, samples: madeVoice(made) }])
    const end = 1.8 + made.seconds
    expect(hesitations).toMatchObject([{ start: near(1.8), end: near(end) }])
    const [{ quietBefore, quietAfter } = expect.fail()] = hesitations
    expect(quietBefore).toBeGreaterThan(1)
    expect(quietBefore).toBeLessThan(1.8)
    expect(quietAfter).toBeGreaterThan(end)
    expect(quietAfter).toBeLessThan(3)
  })

  it.each([
    ['a breath', madeNoise(0.3, 0.1)],
    ['a word that was not transcribed', madeGlide(0.2)],
    ['far below the speech', madeVoice({ seconds: 0.3 }).map((value) => value / 20)],
    ['a beep', Float32Array.from({ length: 4_800 }, (_, at) => Math.sin((at * 2 * Math.PI * 1_000) / 16_000) / 4)],
    ['a held note', madeVoice({ seconds: 1.6 })],
  ])('are not %s', async (_what, samples) => {
    expect((await hear([{ at: 1.3, samples }])).hesitations.filter(({ quietBefore }) => quietBefore !== null)).toEqual(
      [],
    )
  })

  it('are doubtful where a word continues without a pause', async () => {
    const { hesitations } = await hear([{ at: 0.99, samples: madeVoice({ seconds: 0.6 }) }])
    expect(hesitations).toMatchObject([{ end: near(1.6), quietBefore: null, quietAfter: null }])
  })

  it('are certain if the words are heard without them, which then have the times that they have without them', async () => {
    const held = [{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }]
    const [first, last] = words
    const spoken = [...words.slice(0, 1), { ...word(1.8, 2.1), text: 'it' }, ...words.slice(1)]
    const without = spoken.map((each) => (each.text === 'it' ? { ...each, start: 2.9, end: 3 } : each))
    const heard = await hear(held, spoken, without)
    expect(heard.hesitations).toMatchObject([{ start: near(1.8), quietBefore: near(1.4) }])
    expect(heard.words).toMatchObject([{ start: first?.start }, { text: 'it', start: near(2.9) }, { end: last?.end }])
  })

  it.each([
    ['is a word of its own', 0.9, []],
    ['is an uncertain word, which may be none', 0.4, [{ start: near(1.8), quietBefore: null }]],
  ])('are doubtful at most if what is not heard without them %s', async (_what, confidence, doubtful) => {
    const held = [{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }]
    const spoken = [...words.slice(0, 1), { ...word(1.8, 2.1, confidence), text: 'thus' }, ...words.slice(1)]
    const { hesitations, words: heard } = await hear(held, spoken, words)
    expect(hesitations).toMatchObject(doubtful)
    expect(hesitations).toHaveLength(doubtful.length)
    expect(heard.map(({ text }) => text)).toEqual(['word', 'thus', 'word'])
  })

  it('are doubtful if a word beside them is not heard without them: it may be in them', async () => {
    const { hesitations } = await hear([{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }], words, words.slice(0, 1))
    expect(hesitations).toMatchObject([{ start: near(1.8), quietBefore: null }])
  })

  it.each([
    ['less certain without them: they may be a part of it', 1.8, 0.6, false],
    ['as certain, but hardly apart: they may be a part of it', 1.1, 0.9, false],
    ['more certain without them, and hardly apart', 1.1, 0.95, true],
  ])('are doubtful or not beside a word that is %s', async (_what, at, confidence, isCertain) => {
    const without = words.map((each) => ({ ...each, confidence }))
    const { hesitations } = await hear([{ at, samples: madeVoice({ seconds: 0.3 }) }], words, without)
    expect(hesitations.map(({ start, quietBefore }) => [start, quietBefore !== null])).toEqual([[near(at), isCertain]])
  })

  it('have the times of the filler that the transcript has for them', async () => {
    const spoken = [...words.slice(0, 1), { ...word(1.8, 1.95, 0.4), text: 'Ah,' }, ...words.slice(1)]
    const heard = await hear([{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }], spoken, words)
    const [hesitation = expect.fail()] = heard.hesitations
    expect(hesitation).toMatchObject({ start: near(1.8), end: near(2.1), quietBefore: near(1.4) })
    expect(heard.words[1]).toMatchObject({ text: 'Ah,', ...hesitation })
  })

  it('are two where the transcript has one filler for both', async () => {
    const held = [1.6, 2.1].map((at) => ({ at, samples: madeVoice({ seconds: 0.3 }) }))
    const spoken = [...words.slice(0, 1), { ...word(1.6, 2.4), text: 'Ummm,' }, ...words.slice(1)]
    const heard = await hear(held, spoken, words)
    expect(heard.hesitations).toMatchObject([
      { start: near(1.6), end: near(1.9), quietBefore: near(1.3) },
      { start: near(2.1), end: near(2.4), quietAfter: near(2.7) },
    ])
    expect(heard.words).toHaveLength(3)
  })

  it('are looked for in turns, also between words in noise, where nothing is told apart', async () => {
    const noise = { samples: madeNoise(600, 0.1), start: 0 }
    const levels = await measureSpeechLevels(noise)
    const spoken = Array.from({ length: 3_000 }, (_, index) => word(index * 0.2, index * 0.2 + 0.1))
    expect(await longestWork(() => findHeldSounds(spoken, noise, levels))).toBeLessThan(tooLongMs)
  })

  it('are made quiet to hear the words without them', () => {
    const sounds = [{ start: 5.5, end: 6, quietSeconds: 0.2, isSteady: true }]
    const quiet = withoutSounds({ samples: new Float32Array(32_000).fill(0.5), start: 5 }, sounds)
    expect([quiet[7_999], quiet[8_000], quiet[15_999], quiet[16_000]].map((value) => (value ?? 0) > 0.1)).toEqual([
      ...[true, false, false, true],
    ])
  })

  it('are between words alone: elsewhere, other sounds are possible', async () => {
    const held = { at: 1.8, samples: madeVoice({ seconds: 0.3 }) }
    expect((await hear([held], [])).hesitations).toEqual([])
  })

  it('leave the words as they are', async () => {
    const plain = await hear([])
    const beside = await hear([{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }])
    expect(plain.hesitations).toEqual([])
    const times = ({ words }: typeof plain) =>
      words.map(({ text, start, end, confidence }) => [text, start, end, confidence])
    expect(times(beside)).toEqual(times(plain))
  })

  it('are in order, of a bounded number, and those to be cut meet no word', async () => {
    const times = fc.array(fc.record({ at: fc.double({ min: 0, max: 11, noNaN: true }), isWord: fc.boolean() }), {
      maxLength: 24,
    })
    const [uh, said] = [madeVoice({ seconds: 0.2 }), madeGlide(0.25)]
    await fc.assert(
      fc.asyncProperty(times, async (list) => {
        const ordered = list.toSorted((a, b) => a.at - b.at)
        const spoken = ordered.filter(({ isWord }) => isWord).map(({ at }) => word(at, at + 0.25))
        const samples = madeSound(
          12,
          ordered.map(({ at, isWord }) => ({ at, samples: isWord ? said : uh })),
        )
        const { words: heard, hesitations } = await judge(samples, spoken)
        expect(heard).toHaveLength(spoken.length)
        expect(hesitations.length).toBeLessThanOrEqual(10 + samples.length / modelSampleRate / 3)
        expect(hesitations).toEqual(hesitations.toSorted((a, b) => a.start - b.start))
        for (const { start, end, quietBefore, quietAfter } of hesitations) {
          expect(start).toBeLessThan(end)
          if (quietBefore === null || quietAfter === null) continue
          expect(quietBefore).toBeLessThanOrEqual(start)
          expect(quietAfter).toBeGreaterThanOrEqual(end)
          expect(heard.filter((each) => each.start < quietAfter && quietBefore < each.end)).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
  })
})
