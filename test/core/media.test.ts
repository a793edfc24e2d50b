import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorTable } from '../../src/core/errors.ts'
import { isMediaFormat, mediaFormats, toAmplitude, toDbfs } from '../../src/core/media.ts'

it('accepts exactly the published file types, and the error for others lists them', () => {
  expect(mediaFormats).toEqual('mp4 mov webm m4v mp3 wav m4a aac ogg opus flac aiff amr mkv mka'.split(' '))
  expect(errorTable.unsupported_file_type.message).toContain(mediaFormats.join(', '))
})

it.each(['MP4', 'avi', 'toString', '__proto__', ''])('refuses %j', (name) => {
  expect(isMediaFormat(name)).toBe(false)
})

const dbfs = fc.double({ min: -90, max: 0, noNaN: true })
const linear = fc.double({ min: 1e-5, max: 1, noNaN: true })

describe('levels', () => {
  it('0 or below are dBFS, and toDbfs is the inverse', () => {
    fc.assert(
      fc.property(dbfs, (level) => {
        expect(toDbfs(toAmplitude(level))).toBeCloseTo(level, 9)
      }),
    )
  })

  it('above 0 are linear amplitude', () => {
    fc.assert(
      fc.property(linear, (level) => {
        expect(toAmplitude(level)).toBe(level)
      }),
    )
  })

  it('in dBFS are louder the higher they are', () => {
    fc.assert(
      fc.property(dbfs, fc.double({ min: 0.001, max: 90, noNaN: true }), (level, difference) => {
        fc.pre(level + difference <= 0)
        expect(toAmplitude(level + difference)).toBeGreaterThan(toAmplitude(level))
      }),
    )
  })

  it.each([
    [0, 1],
    [-0, 1],
    [-20, 0.1],
    [-6.0206, 0.5],
    [1, 1],
  ])('%d means amplitude %d', (level, amplitude) => {
    expect(toAmplitude(level)).toBeCloseTo(amplitude, 6)
  })

  it('digital silence is -120 dBFS, the lowest level', () => {
    expect(toDbfs(0)).toBe(-120)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (amplitude) => {
        expect(toDbfs(amplitude)).toBeGreaterThanOrEqual(-120)
      }),
    )
  })
})
