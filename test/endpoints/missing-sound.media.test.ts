import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { detectEnergyEndpoint } from '../../src/endpoints/audio-detect-energy/declaration.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { findWordsEndpoint } from '../../src/endpoints/audio-find-words/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { readToolOutput } from '../../src/media/tools/spawn.ts'
import { film, fixture } from '../fixtures/make.ts'
import { temporaryFolder } from '../media/measure.ts'
import { mediaTools } from '../setup/tools.ts'
import { runEndpoint } from './run-endpoint.ts'

const folder = temporaryFolder()

async function made(name: string, options: readonly string[]): Promise<string> {
  const file = path.join(folder, name)
  await readToolOutput(mediaTools.ffmpegPath, ['-nostdin', '-y', '-v', 'error', ...options, file])
  return file
}

const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=duration=${seconds}:sample_rate=8000`]

/** A copy whose bytes are changed, at the name of the n-th such box. */
async function changed(file: string, box: string, nth: number, change: (bytes: Buffer, at: number) => void) {
  const bytes = await readFile(file)
  let at = -1
  for (let index = 0; index <= nth; index++) at = bytes.indexOf(box, at + 1, 'latin1')
  change(bytes, at)
  return saved(`${box}-${nth}-${path.basename(file)}`, bytes)
}

async function saved(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

/** Its sample table has no sample, as in a recording that broke off (ISO/IEC 14496-12, 8.7.3). */
const withoutSamples = (file: string, track: number) =>
  changed(file, 'stsz', track, (bytes, at) => bytes.writeUInt32BE(0, at + 12))

describe('a track without one packet that can be read', () => {
  let coded: string
  let movie: string
  let tracks: string
  beforeAll(async () => {
    coded = await made('coded.m4a', [...tone(4), '-c:a', 'aac'])
    movie = await made('movie.mov', ['-i', film, '-t', '3', '-c:v', 'copy', '-c:a', 'aac'])
    tracks = await made('tracks.mov', [...tone(4), ...tone(4), '-map', '0', '-map', '1', '-c:a', 'aac'])
  })

  const refused = { code: 'processing_failed', message: expect.stringMatching(/no data .*self-contained file/) }

  it('is an error in every endpoint', async () => {
    const file = await withoutSamples(coded, 0)
    for (const endpoint of [detectSilenceEndpoint, detectEnergyEndpoint, findWordsEndpoint, clipWindowEndpoint])
      await expect(runEndpoint(endpoint, { file, settings: {} })).rejects.toMatchObject(refused)
  })

  it('beside a picture is an error where sound is read', async () => {
    const file = await withoutSamples(movie, 1)
    for (const endpoint of [detectSilenceEndpoint, findWordsEndpoint])
      await expect(runEndpoint(endpoint, { file })).rejects.toMatchObject(refused)
  })

  it('beside another track is an error only where it is read', async () => {
    const file = await withoutSamples(tracks, 1)
    const ask = (audio_track: number | string) =>
      runEndpoint(detectSilenceEndpoint, { file, settings: { audio_track }, mayWarn: true })
    expect((await ask(0)).result).toMatchObject({ silences: [] })
    await expect(ask(1)).rejects.toMatchObject(refused)
    await expect(ask('all')).rejects.toMatchObject(refused)
  })
})

describe('a track that states more sound than it has', () => {
  it('is charged for what it has, and warns', async () => {
    const short = await made('packets.m4a', [...tone(0.1), '-c:a', 'aac', '-use_editlist', '0'])
    // The last packet is said to last three minutes (ISO/IEC 14496-12, 8.6.1.2 and 8.4.2).
    const packet = await changed(short, 'stts', 0, (bytes, at) =>
      bytes.writeUInt32BE(180 * 8_000, at + 16 + 8 * (bytes.readUInt32BE(at + 8) - 1)),
    )
    const file = await changed(packet, 'mdhd', 0, (bytes, at) => bytes.writeUInt32BE(180 * 8_000, at + 20))
    const { result, warnings, billedMilliseconds } = await runEndpoint(detectSilenceEndpoint, { file, mayWarn: true })
    expect(result['media_seconds']).toBeGreaterThan(170)
    expect(warnings).toEqual([
      expect.stringMatching(/^From 0\.\d+ to 1\d\d.* s, the media states sound but has no data/),
    ])
    expect(billedMilliseconds).toBeLessThan(1_000)
  })
})

describe('sound that ends long before the picture', () => {
  let film30: string
  beforeAll(async () => {
    const picture = ['-f', 'lavfi', '-i', 'color=s=64x36:r=5:d=30']
    film30 = await made('short-sound.mp4', [
      ...picture,
      ...tone(12),
      ...tone(20),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
    ])
  })
  const ask = (settings: object, window = {}) =>
    runEndpoint(detectSilenceEndpoint, { file: film30, settings, ...window, mayWarn: true })
  const endsAt = (seconds: number, from = seconds) => [
    expect.stringMatching(
      new RegExp(
        String.raw`^The searched sound ends at ${seconds}(\.\d+)? s\. From ${from}(\.\d+)? to 30 s .* counts as silence\.$`,
      ),
    ),
  ]

  it('is searched up to its end, and the result says where that is', async () => {
    for (const endpoint of [detectSilenceEndpoint, detectEnergyEndpoint])
      expect((await runEndpoint(endpoint, { file: film30, mayWarn: true })).warnings).toEqual(endsAt(12))
    expect((await ask({})).result['silences']).toMatchObject([{ start: expect.closeTo(12, 1), end: 30 }])
  })

  it('of the longest searched track counts', async () => {
    expect((await ask({ audio_track: 'all' })).warnings).toEqual(endsAt(20))
  })

  it('may end before the window', async () => {
    expect((await ask({}, { start: 15 })).warnings).toEqual(endsAt(12, 15))
  })

  it('in the window, or a little before its end, needs no warning', async () => {
    for (const end of [10, 15]) expect((await ask({}, { end })).warnings).toEqual([])
  })
})

describe('gaps and late starts', () => {
  it.each(['late.mp4', 'late.webm', 'gap.mp4', 'two-tracks.mp4'] as const)(
    'of %s are silence, as before',
    async (name) => {
      const { billedMilliseconds, info } = await runEndpoint(detectSilenceEndpoint, { file: await fixture(name) })
      expect(billedMilliseconds).toBe(Math.ceil(info.durationSeconds * 1000))
    },
  )
})
