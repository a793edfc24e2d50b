import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectEnergyEndpoint } from '../../src/endpoints/audio-detect-energy/declaration.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { runEndpoint } from './run-endpoint.ts'

describe('detect-energy', () => {
  it('finds the beeps of half a second, their levels and positions', async () => {
    const { result, files } = await runEndpoint(detectEnergyEndpoint, {
      file: await fixture('phone.wav'),
      settings: { window_seconds: 0.05 },
    })
    expect(result['segments']).toEqual(
      [0, 1, 2].map((start) => ({
        start: expect.closeTo(start, 1),
        end: expect.closeTo(start + 0.5, 1),
        duration: expect.closeTo(0.5, 1),
        // A sine at half of full scale.
        mean_db: expect.closeTo(-9.03, 1),
        peak_db: expect.closeTo(-6.02, 1),
        score: expect.closeTo((35 - 9.03) / 35, 1),
      })),
    )
    expect(result['envelope']).toMatchObject({ seconds_per_point: 0.05 })
    expect(files).toEqual([expect.objectContaining({ role: 'preview', contentType: 'image/svg+xml' })])
    expect(await readFile(files[0]?.path ?? '', 'utf8')).toContain(
      'Loud segments: 3, shaded: from -20 dBFS down to -35 dBFS, dashed.',
    )
  })

  it('with top, returns only the loudest segments, in the order of time', async () => {
    const settings = { window_seconds: 0.02 }
    const all = z.array(z.object({ start: z.number(), mean_db: z.number() }))
    const segmentsOf = async (more: object) => {
      const { result } = await runEndpoint(detectEnergyEndpoint, { file: speech, settings: { ...settings, ...more } })
      return all.parse(result['segments'])
    }
    const [every, five] = [await segmentsOf({}), await segmentsOf({ top: 5 })]
    expect(every.length).toBeGreaterThan(20)
    expect(five).toHaveLength(5)
    const quietest = Math.min(...five.map(({ mean_db }) => mean_db))
    expect(every.filter(({ mean_db }) => mean_db > quietest).length).toBeLessThan(5)
    expect(five).toEqual(every.filter(({ start }) => five.some((one) => one.start === start)))
  })

  it('finds speech, with an envelope of at most 1,000 points', async () => {
    const { result, billedMilliseconds } = await runEndpoint(detectEnergyEndpoint, {
      file: speech,
      settings: { window_seconds: 0.02 },
    })
    expect(Array.isArray(result['segments']) && result['segments'].length).toBeGreaterThan(20)
    expect(result['envelope']).toMatchObject({ seconds_per_point: 0.08 })
    expect(billedMilliseconds).toBe(73_349)
  })

  it('returns times of the media, and the billed length, for a window', async () => {
    const file = await fixture('phone.wav')
    const { result, billedMilliseconds } = await runEndpoint(detectEnergyEndpoint, { file, start: 0.9, end: 2 })
    expect(result['segments']).toEqual([expect.objectContaining({ start: 1, end: expect.closeTo(1.5, 1) })])
    expect(billedMilliseconds).toBe(1_100)
  })

  it('uses the louder of all tracks', async () => {
    const file = await fixture('two-tracks.mp4')
    const settings = { audio_track: 'all', window_seconds: 0.05 }
    const { result } = await runEndpoint(detectEnergyEndpoint, { file, settings })
    // Together the beeps last three quarters of a second.
    expect(result['segments']).toContainEqual(
      expect.objectContaining({ start: expect.closeTo(0.75, 1), end: expect.closeTo(1.5, 1) }),
    )
  })
})
