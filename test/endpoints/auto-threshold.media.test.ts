import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { readToolOutput } from '../../src/media/tools/spawn.ts'
import { speech } from '../fixtures/make.ts'
import { temporaryFolder } from '../media/measure.ts'
import { mediaTools } from '../setup/tools.ts'
import { runEndpoint } from './run-endpoint.ts'

const folder = temporaryFolder()
const found = z.object({
  silences: z.array(z.object({ start: z.number(), end: z.number() })),
  threshold_db: z.number(),
})

async function made(name: string, options: readonly string[]): Promise<string> {
  const file = path.join(folder, name)
  await readToolOutput(mediaTools.ffmpegPath, ['-nostdin', '-y', '-v', 'error', ...options, file])
  return file
}

async function detect(file: string, settings: object = {}) {
  const { result } = await runEndpoint(detectSilenceEndpoint, { file, settings: { threshold: 'auto', ...settings } })
  return found.parse(result)
}

/** Shorter than the default, so that the recording has more pauses. */
const pauses = { min_silence_seconds: 0.35 }

describe('threshold auto on a recorded talk', () => {
  let expected: z.output<typeof found>
  beforeAll(async () => {
    expected = await detect(speech, pauses)
  })

  const expectSamePauses = async (file: string) => {
    const { silences } = await detect(file, pauses)
    expect(silences.map(({ start }) => start)).toEqual(expected.silences.map(({ start }) => near(start)))
    expect(silences.map(({ end }) => end)).toEqual(expected.silences.map(({ end }) => near(end)))
  }
  const near = (seconds: number) => expect.toSatisfy((value: number) => Math.abs(value - seconds) <= 0.05)

  it('finds the pauses that -35 dBFS finds', async () => {
    expect(expected.silences.length).toBeGreaterThan(3)
    const { silences } = await detect(speech, { ...pauses, threshold: -35 })
    expect(silences).toHaveLength(expected.silences.length)
  })

  it.each([-10, -20, -30, -40])('finds the same at %i dB', async (gain) => {
    const quieter = await made(`${gain}.wav`, ['-i', speech, '-af', `volume=${gain}dB`])
    await expectSamePauses(quieter)
    expect(Math.abs((await detect(quieter)).threshold_db - expected.threshold_db - gain)).toBeLessThan(1)
  })

  // The speech is at -19.4 dBFS, and noise of these colours at -4.8, -14.1 and -14.
  it.each([
    ['white', 40, -54.6],
    ['white', 30, -44.6],
    ['pink', 30, -35.3],
    ['pink', 25, -30.3],
    ['brown', 25, -30.4],
  ])('finds the same with %s noise, %i dB below the speech', async (colour, _ratio, gain) => {
    const noise = ['-f', 'lavfi', '-i', `anoisesrc=r=8000:c=${colour}:a=1:s=3:d=74`]
    const filter = `[1]volume=${gain}dB[noise];[0][noise]amix=2:normalize=0:duration=first`
    await expectSamePauses(await made(`${colour}${gain}.wav`, ['-i', speech, ...noise, '-filter_complex', filter]))
  })
})

describe('threshold auto', () => {
  it('keeps two tracks of different levels apart', async () => {
    const file = await made('tracks.mka', [
      ...['-i', speech, '-i', speech, '-map', '0:a', '-map', '1:a', '-c:a', 'pcm_s16le', '-filter:a:1', 'volume=-35dB'],
    ])
    const [one, both] = [await detect(speech, pauses), await detect(file, { ...pauses, audio_track: 'all' })]
    expect(both).toEqual({ silences: expect.anything(), threshold_db: one.threshold_db })
    expect(both.silences).toHaveLength(one.silences.length)
  })

  it.each([
    ['hum', 'sine=f=50:r=8000:d=10', []],
    ['noise', 'anoisesrc=r=8000:a=0.002:s=3:d=10', []],
    ['chords', "aevalsrc='0.1*(sin(1382*t)+sin(1740*t))*exp(-3*mod(t,0.4))':s=8000:d=10", []],
    ['digital silence', 'anullsrc=r=8000,atrim=end=10', [{ start: 0, end: 10 }]],
  ])('hears %s from its start to its end alike', async (name, source, silences) => {
    const file = await made(`${name}.wav`, ['-f', 'lavfi', '-i', source])
    expect((await detect(file)).silences).toEqual(silences.map((each) => expect.objectContaining(each)))
  })

  it.each(['Auto', 'quiet', '', null])('refuses %j', (threshold) => {
    expect(detectSilenceEndpoint.settings.safeParse({ threshold }).success).toBe(false)
  })
})
