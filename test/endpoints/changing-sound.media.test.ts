import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { clipRanges } from '../../src/chains/earlier-jobs.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { suggestRangesEndpoint } from '../../src/endpoints/timeline-suggest-ranges/declaration.ts'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { changingSound, sounding, toneLevel } from '../media/clip/changing-sound.ts'
import { answerOf } from './answer-of.ts'
import { runEndpoint } from './run-endpoint.ts'

// A film whose sound is mono at 44.1 kHz for ten seconds, and then stereo at 48 kHz. It sounds from 0 to 4, 5 to 9, 10 to 14 and 15 to 19.

let file: string
beforeAll(async () => {
  const parts = [
    { codec: 'ac3', rate: 44_100, channels: 'mono' },
    { codec: 'ac3', rate: 48_000, channels: 'stereo' },
  ] as const
  file = await changingSound(parts, 'mkv')
})

const spans = z.array(z.object({ start: z.number(), end: z.number() }))
const near = (seconds: number) =>
  expect.toSatisfy((found: number) => Math.abs(found - seconds) < 0.1, `near ${seconds}`)
const span = (start: number, end: number) => expect.objectContaining({ start: near(start), end: near(end) })
const tone = (start: number, end: number) => ({
  ...{ start: near(start), end: near(end) },
  level: expect.toSatisfy((level: number) => Math.abs(level - toneLevel) < 1, `near ${toneLevel}`),
})
/** The encoder of the second part begins with a click. */
const tonesOf = async (made: string) => (await sounding(made)).filter(({ start, end }) => end - start > 0.1)

const detect = () =>
  runEndpoint(detectSilenceEndpoint, { file, settings: { threshold: 'auto', min_silence_seconds: 0.6 } })

it('has its silences in their places', async () => {
  expect((await detect()).result['silences']).toEqual([span(4, 5), span(9, 10), span(14, 15), span(19, 20)])
})

it('is as loud without its pauses, which are shortened', async () => {
  const { result, info } = await detect()
  const window = { startSeconds: null, endSeconds: null }
  const job = { window, segments: spans.parse(result['segments']), mediaSeconds: info.durationSeconds }
  const suggested = await answerOf(suggestRangesEndpoint, { job_id: 'job_a' }, { job_a: job })
  const { ranges } = clipRanges(spans.parse(suggested['ranges']), {})
  const { files } = await runEndpoint(clipWindowEndpoint, { file, settings: { ranges }, mayWarn: true })
  const tones = [0, 1, 2, 3].map((index) => tone(index * 4.4, index * 4.4 + 4))
  expect(await tonesOf(files[0]?.path ?? '')).toEqual(tones)
})

it('has clips around moments that begin and end in its silences', async () => {
  const settings = { before_seconds: 3, after_seconds: 6 }
  const { result, files } = await runEndpoint(clipNearEndpoint, { file, start: 8, settings, mayWarn: true })
  const { start, end } = z
    .object({ receipt: z.object({ requested: z.object({ start: z.number(), end: z.number() }) }) })
    .parse(result).receipt.requested
  expect(start).toSatisfy((seconds: number) => seconds > 4 && seconds < 5)
  expect(end).toSatisfy((seconds: number) => seconds > 14 && seconds < 15)
  expect(await tonesOf(files[0]?.path ?? '')).toEqual([tone(5 - start, 9 - start), tone(10 - start, 14 - start)])
})
