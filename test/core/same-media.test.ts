import { describe, expect, it } from 'vitest'
import { otherLength, seemsOther } from '../../src/core/same-media.ts'

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

describe('media of one length', () => {
  const talk = { url: 'https://a.example/m/talk.mp3?sig=1', name: 'talk.mp3', bytes: 900 }
  const interview = { url: 'https://b.example/interview.mp4', name: 'interview.mp4', bytes: 5000 }

  it.each([
    ['with another name, address and size', interview],
    ['of unknown size with another name and address', { ...interview, bytes: undefined }],
  ])('seem to be of different recordings: %s', (_what, other) => {
    expect([seemsOther(talk, other), seemsOther(other, talk)]).toEqual([true, true])
  })

  it.each([
    ['another encoding', { ...interview, name: 'Talk.mp4' }],
    ['another name for as many bytes', { ...interview, bytes: 900 }],
    ['another signature', { ...interview, url: 'https://a.example/m/talk.mp3?sig=2' }],
    ['no name', { ...interview, name: null }],
  ])('can be of the same recording: %s', (_what, other) => {
    expect([seemsOther(talk, other), seemsOther(other, talk)]).toEqual([false, false])
  })
})
