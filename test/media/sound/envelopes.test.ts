import { describe, expect, it } from 'vitest'
import type { MediaInfo } from '../../../src/core/media.ts'
import { type Envelopes, getTrackEnvelopes } from '../../../src/media/sound/envelopes.ts'
import { measureSamples } from './measure-samples.ts'

const track = { codec: 'aac', sampleRate: 48_000, channels: 1, isDefault: false }
const info: MediaInfo = { format: 'm4a', durationSeconds: 400_000, bytes: 1, audio: [track, track], video: null }
const day = 86_400

describe('the envelopes of chosen tracks', () => {
  let asked = 0
  const envelopes: Envelopes = {
    get: async () => {
      asked++
      return {
        envelope: measureSamples([0], { startMs: 0, endMs: 10, sampleRate: 100, channels: 1 }),
        analysis: 'computed',
      }
    },
    isReusable: async () => false,
    measurePiece: async () => {},
  }
  const choose = (choice: 'default' | 'all', seconds: number) =>
    getTrackEnvelopes({ info, choice, window: { start: 0, end: seconds }, envelopes, reportProgress: () => {} })

  it('are those of a day of audio at most, all tracks counted', async () => {
    await expect(choose('default', day + 0.01)).rejects.toMatchObject({ code: 'media_too_large' })
    await expect(choose('all', day / 2 + 0.01)).rejects.toMatchObject({ code: 'media_too_large' })
    expect(asked).toBe(0)
    expect((await choose('default', day)).tracks).toHaveLength(1)
    expect((await choose('all', day / 2)).tracks).toHaveLength(2)
  })
})
