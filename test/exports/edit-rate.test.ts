import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canDropFrames,
  editFrameAt,
  editRateNames,
  editRates,
  frameOfTimecode,
  nearestEditRate,
  timebaseOf,
  timecodeOf,
} from '../../src/exports/edit-rate.ts'

describe('timecode', () => {
  it.each([
    [1799, '00:00:59;29'],
    [1800, '00:01:00;02'],
    [17_981, '00:09:59;29'],
    [17_982, '00:10:00;00'],
    [107_892, '01:00:00;00'],
  ])('of frame %i at 29.97 drops numbers: %s', (frame, timecode) => {
    expect(timecodeOf(frame, editRates['29.97'], true)).toBe(timecode)
  })

  it('drops numbers at 29.97 and 59.94 only', () => {
    expect(editRateNames.filter((name) => canDropFrames(editRates[name]))).toEqual(['29.97', '59.94'])
    expect(frameOfTimecode('00:01:00;00', editRates['25'])?.isDropFrame).toBe(false)
  })

  it('is read back as the frame that it was written for, at every rate', () => {
    const rates = fc.constantFrom(...editRateNames).map((name) => editRates[name])
    fc.assert(
      fc.property(
        rates,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.boolean(),
        (rate, part, wanted) => {
          const isDropFrame = wanted && canDropFrames(rate)
          const frames = timebaseOf(rate) * 86_400 - (isDropFrame ? (timebaseOf(rate) / 15) * 1296 : 0)
          const frame = Math.floor(part * frames)
          expect(frameOfTimecode(timecodeOf(frame, rate, isDropFrame), rate)).toEqual({ frame, isDropFrame })
        },
      ),
    )
  })

  it.each(['01:00:00:30', '1:00:00:00', '01:60:00:00', 'x'])('is not %s at 30', (text) => {
    expect(frameOfTimecode(text, editRates['30'])).toBeUndefined()
  })
})

describe('the rate of an edit', () => {
  it.each([
    [29.970_03, '29.97'],
    [23.98, '23.976'],
    [24.9, '25'],
    [15, '23.976'],
    [240, '60'],
  ] as const)('of a picture with %d frames a second is %s', (average, name) => {
    expect(nearestEditRate(average)).toBe(editRates[name])
  })

  it('places a frame within half a frame of its time', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 86_400, noNaN: true }), fc.constantFrom(...editRateNames), (time, name) => {
        const { frames, seconds } = editRates[name]
        expect(Math.abs((editFrameAt(time, editRates[name]) * seconds) / frames - time)).toBeLessThanOrEqual(
          seconds / frames / 2 + 1e-9,
        )
      }),
    )
  })
})
