import { describe, expect, it } from 'vitest'
import { otherLength } from '../../src/core/same-media.ts'

describe('two lengths', () => {
  it.each([
    ['as MP3 and MP4 store the same recording', 194.697505, 194.697007],
    ['that a frame of sound or two separates', 60, 60.092],
  ])('can be of the same media: %s', (_what, read, media) => {
    expect(otherLength(read, media)).toBeUndefined()
    expect(otherLength(media, read)).toBeUndefined()
  })

  it.each([
    [194.697505, 120, 'is of media of 194.7 s, this media has 120 s.'],
    [14, 14.101, 'is of media of 14 s, this media has 14.1 s.'],
    [14.049, 14.1501, 'is of media of 14 s, this media has 14.2 s.'],
  ])('of %d s and %d s are of different media', (read, media, told) => {
    expect(otherLength(read, media)).toBe(told)
  })
})
