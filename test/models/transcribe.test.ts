import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFields, textsOf, writeField, writeVarint } from '../../src/models/onnx-file.ts'
import { readTokens, tokenBytes } from '../../src/models/transcribe/moonshine.ts'
import { alignMonotonically, loudFrames, timeWords } from '../../src/models/transcribe/word-times.ts'
import { survivesMangling } from '../mangled-bytes.ts'

const frameLength = 384
const frameSeconds = 0.024

/** Sound that is loud in these frames. */
function soundOf(frames: number, isLoud: (frame: number) => boolean): Float32Array {
  return Float32Array.from({ length: frames * frameLength }, (_, index) =>
    isLoud(Math.floor(index / frameLength)) ? 0.5 * (-1) ** index : 0.0001,
  )
}

/** A step of the decoder, which looks at these frames alone, with each of its three heads. */
function lookingAt(frames: number, ...looked: number[]): Float32Array[] {
  const row = Float32Array.from({ length: frames }, (_, frame) => (looked.includes(frame) ? 1 / looked.length : 0))
  return [row, row, row]
}

describe('word times', () => {
  it('are those of the sound that the decoder looks at, cut to where it is loud', () => {
    const frames = 20
    const samples = soundOf(frames, (frame) => (frame >= 3 && frame < 7) || (frame >= 12 && frame < 16))
    const steps = [lookingAt(frames, 3, 4, 5, 6), lookingAt(frames, 12, 13, 14, 15), lookingAt(frames, 19)]
    const tokens = [
      { bytes: Buffer.from(' Hello'), logProbability: Math.log(0.9) },
      { bytes: Buffer.from(' you'), logProbability: Math.log(0.4) },
    ]
    const words = timeWords(samples, tokens, steps)
    expect(words.map(({ text }) => text)).toEqual(['Hello', 'you'])
    expect(words[0]?.start).toBeCloseTo(3 * frameSeconds)
    expect(words[0]?.end).toBeCloseTo(7 * frameSeconds)
    expect(words[1]?.start).toBeCloseTo(12 * frameSeconds)
    expect(words[1]?.end).toBeCloseTo(16 * frameSeconds)
    expect(words.map(({ confidence }) => Math.round(confidence * 10))).toEqual([9, 4])
  })

  it.each([
    ['after a pause, begin with the sound, which the decoder looks at late', 28, 20],
    ['begin where the decoder looks, if a longer sound is before that', 33, 33],
  ])('%s', (_, lookedFrame, startFrame) => {
    const frames = 48
    const looked = (from: number, to: number) =>
      lookingAt(frames, ...Array.from({ length: to - from }, (__, index) => from + index))
    const samples = soundOf(frames, (frame) => (frame >= 0 && frame < 14) || (frame >= 20 && frame < 46))
    const tokens = [' or', ' access'].map((text) => ({ bytes: Buffer.from(text), logProbability: 0 }))
    const words = timeWords(samples, tokens, [looked(0, 14), looked(lookedFrame, 46), looked(47, 48)])
    expect(Math.abs((words[1]?.start ?? 0) / frameSeconds - startFrame)).toBeLessThanOrEqual(2)
  })

  it('join the tokens of a word, and drop what has no letter', () => {
    const frames = 12
    const steps = [1, 3, 5, 7, 9].map((frame) => lookingAt(frames, frame))
    const texts = [' trans', 'cribe', '.', ' —']
    const tokens = texts.map((text) => ({ bytes: Buffer.from(text), logProbability: -0.1 }))
    const words = timeWords(
      soundOf(frames, () => true),
      tokens,
      steps,
    )
    expect(words.map(({ text }) => text)).toEqual(['transcribe.'])
  })

  it('have each character that several tokens write', () => {
    const tokens = ['▁caf', '<0xC3>', '<0xA9>', '▁', '<0xF0>', '<0x9D>', '<0x92>', '<0x9C>']
    const frames = tokens.length + 2
    const words = timeWords(
      soundOf(frames, () => true),
      tokens.map((token) => ({ bytes: tokenBytes(Buffer.from(token)), logProbability: 0 })),
      Array.from({ length: frames - 1 }, (_, frame) => lookingAt(frames, frame)),
    )
    expect(words.map(({ text }) => text)).toEqual(['café', '𝒜'])
  })

  it('end before the next word begins, however short that is', () => {
    const frames = 200
    const looked = fc.uniqueArray(fc.integer({ min: 0, max: frames - 2 }), { minLength: 2, maxLength: 40 })
    const samples = soundOf(frames, (frame) => frame >= 20)
    fc.assert(
      fc.property(looked, (places) => {
        const steps = [...places.toSorted((a, b) => a - b), frames - 1].map((frame) => lookingAt(frames, frame))
        const words = timeWords(
          samples,
          places.map(() => ({ bytes: Buffer.from(' a'), logProbability: 0 })),
          steps,
        )
        for (const [index, { start, end }] of words.entries()) {
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(words[index + 1]?.start ?? Number.POSITIVE_INFINITY)
        }
      }),
    )
  })

  it('never go back', () => {
    // The second step looks at an earlier frame than the first.
    const cost = Float64Array.from([0, 0, -1, 0, -1, 0, 0, 0])
    const [first = -1, second = -1] = alignMonotonically(cost, 2, 4)
    expect(second).toBeGreaterThanOrEqual(first)
  })

  it('come from no sound at all as no words', () => {
    expect(timeWords(new Float32Array(0), [], [])).toEqual([])
    expect(loudFrames(new Float32Array(frameLength * 3), 3)).toEqual([false, false, false])
  })
})

describe('the tokenizer', () => {
  it('reads lengths of one and of two bytes', () => {
    const long = Buffer.alloc(300, 'a')
    const file = Buffer.concat([Buffer.from([2]), Buffer.from('ab'), Buffer.from([128 + (300 % 128), 2]), long])
    expect(readTokens(file)).toEqual([Buffer.from('ab'), long])
  })

  it('refuses a file that is cut', () => {
    expect(() => readTokens(Buffer.from([3, 97, 98]))).toThrow(RangeError)
    expect(() => readTokens(Buffer.from([200]))).toThrow(RangeError)
  })

  it('reads a mangled file, or refuses it where it is cut', async () => {
    const words = ['\u2581the', 'a'.repeat(300), '<0x0A>'].map((word) => Buffer.from(word))
    const sized = ({ length }: Buffer) => Buffer.from(length < 128 ? [length] : [128 + (length % 128), length >> 7])
    await survivesMangling({
      samples: [Buffer.concat(words.flatMap((word) => [sized(word), word])), Buffer.alloc(500, 1)],
      parse: (_, whole) => readTokens(whole).length,
      isDeclared: (error) => error instanceof RangeError,
    })
  })

  it('turns tokens into text', () => {
    const textOf = (token: string) => tokenBytes(Buffer.from(token)).toString()
    expect(['▁the', '<0x0A>', '</s>', 'é'].map(textOf)).toEqual([' the', '\n', '', 'é'])
  })
})

describe('protobuf', () => {
  it('refuses a field that is cut, and a number of more than 64 bits', () => {
    expect(() => readFields(writeField(1, 'name').subarray(0, -1))).toThrow(RangeError)
    expect(() => readFields(Buffer.concat([writeVarint(8), Buffer.alloc(200, 0xff), Buffer.from([1])]))).toThrow(
      RangeError,
    )
  })

  it('reads a mangled message, or refuses it where it is cut', async () => {
    const minusOne = Buffer.concat([writeVarint(8), Buffer.alloc(9, 0xff), Buffer.from([1])])
    const message = Buffer.concat([writeField(1, 'name'), minusOne, writeField(7, writeField(2, Buffer.alloc(200, 1)))])
    await survivesMangling({
      samples: [message, Buffer.alloc(60, 0xff)],
      parse: (_, whole) => {
        const fields = readFields(whole)
        expect(Buffer.concat(fields.map(({ bytes }) => bytes)).equals(whole)).toBe(true)
        return fields.length
      },
      isDeclared: (error) => error instanceof RangeError,
    })
  })

  it('reads the fields that it writes, and keeps others as they are', () => {
    const number = Buffer.concat([writeVarint(3 * 8), writeVarint(70_000)])
    const message = Buffer.concat([writeField(1, 'name'), number, writeField(7, Buffer.alloc(200, 1))])
    const fields = readFields(message)
    expect(fields.map(({ number: field }) => field)).toEqual([1, 3, 7])
    expect(textsOf(fields, 1)).toEqual(['name'])
    expect(Buffer.concat(fields.map(({ bytes }) => bytes))).toEqual(message)
  })
})
