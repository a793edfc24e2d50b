import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clipRanges } from '../../src/chains/earlier-jobs.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { suggestRangesEndpoint } from '../../src/endpoints/timeline-suggest-ranges/declaration.ts'
import { pausePresets } from '../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { speech } from '../fixtures/make.ts'
import { pcmOf, temporaryFolder } from '../media/measure.ts'
import { wavOf } from '../media/wav.ts'
import { answerOf } from './answer-of.ts'
import { runEndpoint } from './run-endpoint.ts'

const sampleRate = 8_000
const sampleSeconds = 1 / sampleRate

const spans = z.array(z.object({ start: z.number(), end: z.number() }))

/** The silences of a file from a length on. */
async function silencesOf(file: string, min_silence_seconds: number) {
  const settings = { min_silence_seconds, min_segment_seconds: 0 }
  const { result } = await runEndpoint(detectSilenceEndpoint, { file, settings })
  return spans.parse(result['silences'])
}

/** The recorded talk by somebody who hesitates: pauses of every length up to three seconds, of the room's own noise. */
async function hesitantTalk(): Promise<string> {
  const talk = await pcmOf(speech)
  const pauses = await silencesOf(speech, 0.1)
  const parts: Int16Array[] = []
  let from = 0
  for (const [index, { start, end }] of pauses.entries()) {
    const middle = Math.round(((start + end) / 2) * sampleRate)
    const samples = Math.round((3 * sampleRate * (index % 24)) / 23)
    parts.push(
      talk.subarray(from, middle),
      Int16Array.from({ length: samples }, (_, at) => ((at * 7919) % 41) - 20),
    )
    from = middle
  }
  const file = path.join(temporaryFolder(), 'hesitant.wav')
  await writeFile(file, wavOf([...parts, talk.subarray(from)], sampleRate))
  return file
}

let talk: string
beforeAll(async () => {
  talk = await hesitantTalk()
})

/** Shortens the pauses as the chain does. */
async function shorten(minSilenceSeconds: number, pauses: object) {
  const settings = { min_silence_seconds: minSilenceSeconds }
  const found = await runEndpoint(detectSilenceEndpoint, { file: talk, settings })
  const window = { startSeconds: null, endSeconds: null }
  const job = { window, segments: spans.parse(found.result['segments']), mediaSeconds: found.info.durationSeconds }
  const suggested = await answerOf(suggestRangesEndpoint, { job_id: 'job_a', ...pauses }, { job_a: job })
  const { ranges } = clipRanges(spans.parse(suggested['ranges']), {})
  const clip = await runEndpoint(clipWindowEndpoint, { file: talk, settings: { ranges, audio_fade_ms: 0 } })
  return { ranges, made: clip.files[0]?.path ?? '', savedSeconds: Number(suggested['saved_seconds']) }
}

describe.each([
  ['gentle', { preset: 'gentle' }, pausePresets.gentle],
  ['normal', { preset: 'normal' }, pausePresets.normal],
  ['tight', { preset: 'tight' }, pausePresets.tight],
  ['max_pause_seconds of 0.4', { max_pause_seconds: 0.4 }, { minSilenceSeconds: 0.4, maxPauseSeconds: 0.4 }],
])('a talk with shortened pauses: %s', (_what, settings, { minSilenceSeconds, maxPauseSeconds }) => {
  it('is exactly what was kept, sample by sample, and no pause is a tenth of a second longer', async () => {
    const { ranges, made, savedSeconds } = await shorten(minSilenceSeconds, settings)
    const [before, after] = [await pcmOf(talk), await pcmOf(made)]
    const removedSeconds = (before.length - after.length) / sampleRate
    expect(removedSeconds).toBeGreaterThan(5)
    expect(Math.abs(removedSeconds - savedSeconds)).toBeLessThanOrEqual(sampleSeconds)

    const at = (seconds: number) => Math.round(seconds * sampleRate)
    const kept = ranges.flatMap(({ start, end }) => [...before.subarray(at(start), at(end))])
    expect(after.length).toBe(kept.length)
    expect([...after].findIndex((sample, index) => sample !== kept[index])).toBe(-1)

    const pausesOf = async (file: string) => (await silencesOf(file, 0.01)).map(({ start, end }) => end - start)
    const [pausesBefore, pausesAfter] = [await pausesOf(talk), await pausesOf(made)]
    expect(pausesBefore.filter((pause) => pause > maxPauseSeconds).length).toBeGreaterThan(5)
    expect(Math.max(...pausesAfter)).toBeLessThan(maxPauseSeconds + 0.1 + sampleSeconds)
    // Shortened, not removed.
    expect(Math.max(...pausesAfter)).toBeGreaterThan(maxPauseSeconds - 0.005)
  })
})
