import { describe, expect, it } from 'vitest'
import { complement, durationOf } from '../../../src/core/segments.ts'
import { findSpeech } from '../../../src/media/speech/find-speech.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { never, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const hearSpeech = (samples: Float32Array) => models.run('voice-activity', samples)

describe.skipIf(!models.has('voice-activity'))(`the installed speech model${whySkipped}`, () => {
  const find = async (path: string, start: number, end: number, format: 'wav' | 'mp4' = 'wav') => {
    const window = { start, end }
    const found = await findSpeech({
      ...{ input: { path, format }, trackIndex: 0, track: { sampleRate: 16_000, channels: 1 }, window, hearSpeech },
      ...{ ffmpeg, signal: never },
    })
    return { found, pauses: complement(found, window) }
  }

  it('hears speech, and its pauses', async () => {
    const { pauses } = await find(speech, 20, 40)
    const paused = pauses.reduce((sum, pause) => sum + durationOf(pause), 0)
    expect(paused).toBeGreaterThan(0.5)
    expect(paused).toBeLessThan(5)
  })

  it('hears the same pauses under music', async () => {
    const [clean, mixed] = await Promise.all([find(speech, 20, 40), find(await fixture('speech-music.wav'), 20, 40)])
    const [longest] = clean.pauses.toSorted((a, b) => durationOf(b) - durationOf(a))
    const middle = ((longest?.start ?? 0) + (longest?.end ?? 0)) / 2
    expect(mixed.pauses.some(({ start, end }) => middle > start && middle < end)).toBe(true)
  })

  it('hears none in a tone, nor past the end', async () => {
    expect((await find(await fixture('beeps.mp4'), 1, 9, 'mp4')).found).toEqual([])
  })

  it('listens to several at once', async () => {
    const alone = await find(speech, 50, 54)
    const together = await Promise.all([find(speech, 50, 54), find(speech, 60, 64), find(speech, 50, 54)])
    expect(together[0]).toEqual(alone)
    expect(together[2]).toEqual(alone)
  })
})
