import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canDropFrames,
  editFrameAt,
  editRateNames,
  editRateOf,
  editRates,
  frameOfTimecode,
  timebaseOf,
  timecodeOf,
} from '../../src/core/edit-rate.ts'

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

  it('drops numbers at 29.97 and its multiples only', () => {
    expect(editRateNames.filter((name) => canDropFrames(editRates[name]))).toEqual(['29.97', '59.94', '119.88'])
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

  it.each([
    ['01:00:00;45', 60, '29.97', '01:00:00;22'],
    ['01:00:00;45', 60, '59.94', '01:00:00;45'],
    ['00:01:00;02', 30, '59.94', '00:01:00;04'],
    ['10:00:00:30', 50, '25', '10:00:00:15'],
    ['01:00:00:100', 120, '59.94', '01:00:00:50'],
    ['01:00:00;100', 120, '29.97', '01:00:00;25'],
    ['10:00:00:12', 25, '50', '10:00:00:24'],
    ['19:36:00;10', 24, '24', '19:36:00:10'],
    ['01:00:00;15', 30, '25', '01:00:00:12'],
    ['01:00:00:23', 24, '60', '01:00:00:57'],
    ['01:00:00,02', 30, '29.97', '01:00:00;02'],
    ['00:01:00;00', 30, '29.97', '00:01:00;02'],
    ['23:59:00;01', 30, '29.97', '23:59:00;02'],
    ['00:01:00;03', 60, '59.94', '00:01:00;04'],
    ['00:10:00;00', 30, '29.97', '00:10:00;00'],
    ['00:01:01;00', 30, '29.97', '00:01:01;00'],
  ] as const)('%s of %i frames a second is at %s the frame shown then: %s', (own, ownBase, name, shown) => {
    const { frame = -1, isDropFrame = false } = frameOfTimecode(own, editRates[name], ownBase) ?? {}
    expect(timecodeOf(frame, editRates[name], isDropFrame)).toBe(shown)
  })

  it.each(['01:00:00:30', '1:00:00:00', '01:60:00:00', '01:00:00.040', 'x'])('is not %s at 30', (text) => {
    expect(frameOfTimecode(text, editRates['30'])).toBeUndefined()
  })
})

describe('the rate of an edit', () => {
  it.each([
    [29.970_03, '29.97'],
    [23.98, '23.976'],
    [24.9, '25'],
    [15, '30'],
    [14.985, '29.97'],
    [12.5, '25'],
    [12, '24'],
    [5, '30'],
    [240, '60'],
    [119.88, '59.94'],
    [100, '50'],
    [90, '30'],
    [0, '30'],
  ] as const)('of a picture with %d frames a second is %s', (framesPerSecond, name) => {
    expect(editRateOf(framesPerSecond)).toBe(editRates[name])
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
