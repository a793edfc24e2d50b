import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hearPauses } from '../../../src/media/speech/hesitations.ts'
import { modelSampleRate } from '../../../src/models/models.ts'
import { madeNoise, madeSound, madeVoice } from './made-voice.ts'

const word = (start: number, end: number, confidence = 0.9) => ({ text: 'word', start, end, confidence })
/** As in "I": the vowel glides. */
const glide = (seconds: number) => madeVoice({ seconds, formants: [[800, 300], [1_200, 2_300], [2_500, 3_000]] })
/** A word from 0.5 to 1 s, and one from 3 to 3.5 s. */
const words = [word(0.5, 1), word(3, 3.5)]
const wordSounds = words.map(({ start, end }) => ({ at: start, samples: glide(end - start) }))

const hear = (sound: { at: number; samples: Float32Array }[], spoken = words) =>
  hearPauses(spoken, { samples: madeSound(4, [...wordSounds, ...sound]), start: 0 })
const near = (seconds: number) => expect.closeTo(seconds, 1)

describe('hesitations', () => {
  it.each([
    ['uh, by a man', { seconds: 0.3 }],
    ['uh, by a woman', { seconds: 0.3, pitch: 210 }],
    ['mm', { seconds: 0.4, formants: [[250, 250], [1_100, 1_100]] as const }],
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
    ['a word that was not transcribed', glide(0.4)],
    ['a beep', Float32Array.from({ length: 4_800 }, (_, at) => Math.sin((at * 2 * Math.PI * 1_000) / 16_000) / 4)],
    ['a held note', madeVoice({ seconds: 1.6 })],
  ])('are not %s', async (_what, samples) => {
    expect((await hear([{ at: 1.3, samples }])).hesitations.filter(({ quietBefore }) => quietBefore !== null)).toEqual(
      [],
    )
  })

  it('are doubtful where a word continues without a pause', async () => {
    const { hesitations } = await hear([{ at: 0.99, samples: madeVoice({ seconds: 0.5 }) }])
    expect(hesitations).toMatchObject([{ end: near(1.5), quietBefore: null, quietAfter: null }])
  })

  it('are doubtful beside a word that sounds like one: the times of the word may be those of the hesitation', async () => {
    const spoken = [word(0.5, 1), word(1.4, 1.7), word(3, 3.5)]
    const sounds = [1.4, 2.2].map((at) => ({ at, samples: madeVoice({ seconds: 0.3 }) }))
    const { hesitations } = await hear(sounds, spoken)
    expect(hesitations).toMatchObject([{ start: near(2.2), quietBefore: null }])
  })

  it('are doubtful if an uncertain word is in their place', async () => {
    const spoken = [word(0.5, 1), word(1.8, 2.1, 0.35), word(3, 3.5)]
    const { hesitations } = await hear([{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }], spoken)
    expect(hesitations).toMatchObject([{ start: near(1.8), quietBefore: null }])
  })

  it('are between words alone: elsewhere, other sounds are possible', async () => {
    const held = { at: 1.8, samples: madeVoice({ seconds: 0.3 }) }
    expect((await hear([held], [])).hesitations).toEqual([])
  })

  it('leave the words as they are', async () => {
    const plain = await hear([])
    const beside = await hear([{ at: 1.8, samples: madeVoice({ seconds: 0.3 }) }])
    expect(plain.hesitations).toEqual([])
    const times = ({ words }: typeof plain) => words.map(({ text, start, end, confidence }) => [text, start, end, confidence])
    expect(times(beside)).toEqual(times(plain))
  })

  it('are in order, of a bounded number, and those to be cut meet no word', async () => {
    const times = fc.array(fc.record({ at: fc.double({ min: 0, max: 11, noNaN: true }), isWord: fc.boolean() }), {
      maxLength: 24,
    })
    const [uh, said] = [madeVoice({ seconds: 0.2 }), glide(0.25)]
    await fc.assert(
      fc.asyncProperty(times, async (list) => {
        const ordered = list.toSorted((a, b) => a.at - b.at)
        const spoken = ordered.filter(({ isWord }) => isWord).map(({ at }) => word(at, at + 0.25))
        const samples = madeSound(12, ordered.map(({ at, isWord }) => ({ at, samples: isWord ? said : uh })))
        const { words: heard, hesitations } = await hearPauses(spoken, { samples, start: 0 })
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
