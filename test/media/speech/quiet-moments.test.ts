import { describe, expect, it } from 'vitest'
import type { Segment } from '../../../src/core/segments.ts'
import { type HeardSamples, measureSpeechLevels, quietSpansOf } from '../../../src/media/speech/quiet-moments.ts'
import { modelSampleRate } from '../../../src/models/models.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

/** A tone where there is sound, and faint noise elsewhere. */
function soundsAt(seconds: number, ...sounds: (readonly [number, number])[]): Float32Array {
  return Float32Array.from({ length: seconds * modelSampleRate }, (_, sample) => {
    const at = sample / modelSampleRate
    const isSound = sounds.some(([start, end]) => at >= start && at < end)
    return isSound ? Math.sin(at * 2_000) / 2 : ((sample * 7919) % 41) / 40_000
  })
}

const word = (start: number, end: number) => ({ start, end })
const findQuietMoments = async (words: readonly Segment[], heard: HeardSamples) =>
  quietSpansOf(words, await measureSpeechLevels(heard))
const near = (seconds: number) => expect.closeTo(seconds, 1)

describe('quiet moments', () => {
  it('are in the middle of short pauses, and near the words in long ones', async () => {
    const samples = soundsAt(8, [1, 2], [2.4, 3], [6, 7])
    const [first, second, third] = await findQuietMoments([word(1, 2), word(2.4, 3), word(6, 7)], { samples, start: 0 })
    expect(first).toMatchObject({ quietBefore: near(0.5), quietAfter: near(2.2) })
    expect(second).toMatchObject({ quietBefore: near(2.2), quietAfter: near(3.5) })
    expect(third).toMatchObject({ quietBefore: near(5.5), quietAfter: near(7.5) })
  })

  it('are where words that touch meet, on the clock of the media', async () => {
    const samples = soundsAt(3, [0.5, 0.98], [1.02, 2])
    const [first, second] = await findQuietMoments([word(10.5, 10.96), word(10.96, 12)], { samples, start: 10 })
    expect(first?.quietAfter).toBeGreaterThan(10.98)
    expect(first?.quietAfter).toBeLessThan(11.02)
    expect([first?.end, second?.start, second?.quietBefore]).toEqual(Array(3).fill(first?.quietAfter))
  })

  it('are missing where speech continues, and words keep their times', async () => {
    const samples = soundsAt(3, [0.5, 2])
    const [first, second] = await findQuietMoments([word(0.5, 1), word(1, 2)], { samples, start: 0 })
    expect(first).toMatchObject({ end: 1, quietAfter: null })
    expect(second).toMatchObject({ start: 1, quietBefore: null })
  })

  it('are not inside of words: a pause further from their boundary is of one of them', async () => {
    const samples = soundsAt(3, [0.5, 1.2], [1.3, 2])
    const [first] = await findQuietMoments([word(0.5, 1), word(1, 2)], { samples, start: 0 })
    expect(first?.quietAfter).toBeNull()
  })

  it('of ten minutes of fast speech let other work have its turns', async () => {
    const samples = new Float32Array(600 * modelSampleRate)
    const words = Array.from({ length: 3_000 }, (_, index) => word(index * 0.2, index * 0.2 + 0.1))
    expect(await longestWork(() => findQuietMoments(words, { samples, start: 0 }))).toBeLessThan(tooLongMs)
  })
})
