import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Segment } from '../../../src/core/segments.ts'
import { detectSilenceEndpoint } from '../../../src/endpoints/audio-detect-silence/declaration.ts'
import { runEndpoint } from '../../endpoints/run-endpoint.ts'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { silencedetect } from '../measure.ts'

const segments = z.array(z.object({ start: z.number(), end: z.number(), duration: z.number() }))
const resultShape = z.object({ media_seconds: z.number(), silences: segments, segments })

interface Ask {
  readonly start?: number
  readonly end?: number
  readonly settings: object
}

async function detect(file: string, ask: Ask) {
  const { result, billedMilliseconds } = await runEndpoint(detectSilenceEndpoint, { file, ...ask })
  return { ...resultShape.parse(result), billedMilliseconds }
}

async function expectAgreement(file: string, threshold: number, minSeconds: number, track = 0) {
  const settings = { threshold, min_silence_seconds: minSeconds, audio_track: track }
  const { silences, media_seconds } = await detect(file, { settings })
  const expected = await silencedetect(file, { thresholdDb: threshold, minSeconds, track, mediaSeconds: media_seconds })
  // Silences run over whole milliseconds, so those that hardly reach the minimum are left out.
  const [sure, possible] = [expected.filter(({ start, end }) => end - start > minSeconds + 0.002), expected]
  const matches = (a: Segment, b: Segment) => Math.abs(a.start - b.start) < 0.002 && Math.abs(a.end - b.end) < 0.002
  expect(sure.filter((silence) => !silences.some((found) => matches(found, silence)))).toEqual([])
  expect(silences.filter((found) => !possible.some((silence) => matches(found, silence)))).toEqual([])
}

describe('agrees with silencedetect within 2 ms', () => {
  it.each([
    [-35, 0.5],
    [-30, 0.1],
    [-50, 0.2],
    [-70, 0.1],
  ])('on real speech at %s dB for %s s', (threshold, minSeconds) => expectAgreement(speech, threshold, minSeconds))

  it.each([
    ...(['speech.mp3', 'speech.m4a', 'speech.aac', 'speech.ogg', 'speech.webm'] as const),
    ...(['numbered.mp4', 'ntsc.mp4', 'variable.webm', 'late.mp4', 'late.webm', 'two-tracks.mp4', 'phone.wav'] as const),
    ...(['gap.mp4', 'surround.m4a', 'covered.m4a', 'film.mov', 'film.m4v', 'film.webm'] as const),
  ])('on %s', async (name) => {
    await expectAgreement(await fixture(name), -30, 0.1)
  })

  it('on a film', () => expectAgreement(film, -30, 0.1))

  it('on the second of two tracks', async () => expectAgreement(await fixture('two-tracks.mp4'), -30, 0.1, 1))
})

describe('detect-silence', () => {
  it('takes a gap in the timestamps for silence', async () => {
    const { silences } = await detect(await fixture('gap.mp4'), { settings: { threshold: -40 } })
    expect(silences).toEqual([
      { start: expect.closeTo(2, 1), end: expect.closeTo(5, 1), duration: expect.closeTo(3, 1) },
    ])
  })

  it('finds the same silences in a window, cut at its edges', async () => {
    const settings = { threshold: -35, min_silence_seconds: 0.1 }
    const whole = await detect(speech, { settings })
    const part = await detect(speech, { start: 20, end: 40, settings })
    const inside = whole.silences.filter(({ start, end }) => start > 20 && end < 40)
    expect(inside.length).toBeGreaterThan(5)
    expect(part.silences).toEqual(expect.arrayContaining(inside))
    expect(part.billedMilliseconds).toBe(20_000)
  })

  it('with all tracks, is silent where each of them is', async () => {
    const file = await fixture('two-tracks.mp4')
    const { silences } = await detect(file, {
      settings: { threshold: -30, min_silence_seconds: 0.1, audio_track: 'all' },
    })
    // One sounds in the first half of each second, the other a quarter of a second before.
    expect(silences).toHaveLength(4)
    expect(silences).toContainEqual({
      start: expect.closeTo(1.5, 2),
      end: expect.closeTo(1.75, 2),
      duration: expect.closeTo(0.25, 2),
    })
  })

  it('pads and filters the sounding segments only', async () => {
    const settings = { threshold: -30, min_silence_seconds: 0.1, padding_seconds: 0.1, min_segment_seconds: 0.65 }
    const { segments: sounding, silences } = await detect(await fixture('phone.wav'), { settings })
    expect(silences).toHaveLength(3)
    expect(sounding).toEqual([
      { start: expect.closeTo(0.9, 2), end: expect.closeTo(1.6, 2), duration: expect.closeTo(0.7, 2) },
      { start: expect.closeTo(1.9, 2), end: expect.closeTo(2.6, 2), duration: expect.closeTo(0.7, 2) },
    ])
  })

  it('names a track that is not there', async () => {
    const asked = detect(speech, { settings: { audio_track: 3 } })
    await expect(asked).rejects.toMatchObject({ code: 'no_audio_track', message: expect.stringContaining('track 3') })
  })

  it('refuses a window past the end', async () => {
    await expect(detect(speech, { start: 80, settings: {} })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
