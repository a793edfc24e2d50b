import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { detectEnergyEndpoint } from '../../src/endpoints/audio-detect-energy/declaration.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { joinRanges } from '../../src/media/clip/join.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { decodeEnvelope, encodeEnvelope } from '../../src/media/sound/envelope.ts'
import { measureEnvelope } from '../../src/media/sound/envelopes.ts'
import { film, fixture } from '../fixtures/make.ts'
import { storeIn } from '../media/clip/piece-store.ts'
import { never, temporaryFolder } from '../media/measure.ts'
import { floatWavOf } from '../media/wav.ts'
import { plainClip } from '../setup/plain-clip.ts'
import { mediaTools } from '../setup/tools.ts'
import { type Ask, ffmpeg, runEndpoint } from './run-endpoint.ts'

/** A copy of the film in whose middle, at about 2.7 s of 5.3, bytes are flipped. */
let damaged: string
beforeAll(async () => {
  const bytes = await readFile(film)
  for (let at = bytes.length * 0.45; at < bytes.length * 0.55; at += 97) {
    const place = Math.floor(at)
    bytes[place] = 255 - (bytes[place] ?? 0)
  }
  damaged = path.join(temporaryFolder(), 'damaged.mp4')
  await writeFile(damaged, bytes)
})

const warningsOf = async (endpoint: MediaEndpoint, ask: Omit<Ask, 'file'>) =>
  (await runEndpoint(endpoint, { ...ask, file: damaged, mayWarn: true })).warnings ?? []

const clipWarning = /^The media is damaged in or shortly before this clip: .*\d+ of \d+ frames were decoded\.$/

describe('damaged media', () => {
  it('is cut with what can be decoded, and the receipt and the job say so', async () => {
    const ask = { file: damaged, start: 1, end: 4, mayWarn: true } as const
    const { result, warnings } = await runEndpoint(clipWindowEndpoint, ask)
    expect(warnings).toEqual([expect.stringMatching(clipWarning)])
    expect(result['receipt']).toMatchObject({ warnings })
    const [, encoded, planned] = /(\d+) of (\d+)/.exec(warnings?.[0] ?? '') ?? []
    expect(result['receipt']).toMatchObject({ frames_encoded: Number(encoded) })
    expect(Number(encoded)).toBeLessThan(Number(planned))
    expect(Number(planned)).toBe(75)
  })

  it('warns in joined clips', async () => {
    const ranges = [
      { start: 0.5, end: 1 },
      { start: 2, end: 3.5 },
    ]
    expect(await warningsOf(clipWindowEndpoint, { settings: { ranges } })).toEqual([expect.stringMatching(clipWarning)])
  })

  it('is reported by every attempt of a joined clip, also with the pieces of an earlier one', async () => {
    const { store, restored, names } = storeIn(temporaryFolder())
    const attempt = async () =>
      joinRanges({
        tracks: await readTracks({ path: damaged, format: 'mp4' }, ffmpeg, never),
        ranges: [
          { start: 0.2, end: 1.2 },
          { start: 2.2, end: 3.2 },
        ],
        ...plainClip(),
        ...{ format: 'mp4', pieceSeconds: 1, store, outputPath: path.join(temporaryFolder(), 'clip.mp4'), ffmpeg },
      })
    const { receipt } = await attempt()
    expect(receipt.decodeErrors).toBeGreaterThan(0)
    restored.length = 0
    expect((await attempt()).receipt).toEqual(receipt)
    expect(restored.toSorted()).toEqual(names())
  })

  it('warns in the receipt of that file alone where several were made', async () => {
    const ranges = [
      { start: 0.2, end: 0.7 },
      { start: 2, end: 3.5 },
    ]
    const ask = { file: damaged, settings: { ranges, join: false }, mayWarn: true } as const
    const { result, warnings } = await runEndpoint(clipWindowEndpoint, ask)
    expect(warnings).toEqual([expect.stringMatching(/^clip-2\.mp4: The media is damaged/)])
    expect(result['receipts']).toMatchObject([{ warnings: [] }, { warnings: [expect.stringMatching(clipWarning)] }])
  })

  it('warns in clips around a moment', async () => {
    const settings = { before_seconds: 1, after_seconds: 1, snap: 'none' }
    expect(await warningsOf(clipNearEndpoint, { start: 2.7, settings })).toEqual([expect.stringMatching(clipWarning)])
  })

  it.each([detectSilenceEndpoint, detectEnergyEndpoint])(
    'warns where its sound was listened to: $id',
    async (endpoint) => {
      expect(await warningsOf(endpoint, {})).toEqual([expect.stringMatching(/^The media is damaged: .* sound/)])
      expect(await warningsOf(endpoint, { end: 1 })).toEqual([])
    },
  )

  it('is known as such from a kept envelope too', async () => {
    const measured = await measureEnvelope({
      ...{ input: { path: damaged, format: 'mp4' }, trackIndex: 0, track: { sampleRate: 48_000, channels: 6 } },
      ...{ stretch: { startMs: 0, endMs: 5_000 }, cores: createCores(1), ffmpeg, signal: never, onProgress: () => {} },
    })
    expect(measured.decodeErrors).toBeGreaterThan(0)
    expect(decodeEnvelope(encodeEnvelope(measured)).decodeErrors).toBe(measured.decodeErrors)
  })
})

it('frames that refer to a lost keyframe are counted, although no decoder complains of them', async () => {
  const file = path.join(temporaryFolder(), 'begins-in-the-middle.mkv')
  const drop = ['-c', 'copy', '-an', '-bsf:v', "noise=drop='lt(n,12)'"]
  await promisify(execFile)(mediaTools.ffmpegPath, [
    '-v',
    'error',
    '-i',
    await fixture('open-gop-hevc.mp4'),
    ...drop,
    file,
  ])
  const { result, warnings } = await runEndpoint(clipWindowEndpoint, { file, start: 0, end: 1, mayWarn: true })
  const [, decoded, listed] = /lists\. (\d+) of (\d+) frames were decoded\.$/.exec(warnings?.[0] ?? '') ?? []
  expect(Number(listed)).toBeGreaterThan(Number(decoded))
  expect(result['receipt']).toMatchObject({ warnings, frames_encoded: Number(decoded) })
})

describe('healthy media of open groups of pictures', () => {
  it.each(['open-gop.mp4', 'open-gop-hevc.mp4'] as const)('%s is cut anywhere without a warning', async (name) => {
    const file = await fixture(name)
    for (const start of [0.5, 1.7, 2.3, 3.3]) await runEndpoint(clipWindowEndpoint, { file, start, end: start + 0.5 })
    const ranges = [
      { start: 1.7, end: 2 },
      { start: 3.3, end: 3.6 },
    ]
    await runEndpoint(clipWindowEndpoint, { file, settings: { ranges } })
  })
})

describe('sound with samples that are no number or infinite', () => {
  let nonFinite: string
  beforeAll(async () => {
    const samples = Float32Array.from({ length: 24_000 }, (_, index) => 0.3 * Math.sin(index / 3))
    samples.fill(Number.NaN, 8_000, 8_200)
    samples.fill(Number.POSITIVE_INFINITY, 16_000, 16_010)
    nonFinite = path.join(temporaryFolder(), 'non-finite.wav')
    await writeFile(nonFinite, floatWavOf(samples, 8_000))
  })

  it('is damaged for a detection, and for a clip whose loudness is set', async () => {
    const ask = { file: nonFinite, mayWarn: true } as const
    const detected = await runEndpoint(detectSilenceEndpoint, ask)
    expect(detected.warnings).toEqual([expect.stringContaining('The media is damaged')])
    const { warnings } = await runEndpoint(clipWindowEndpoint, {
      ...ask,
      start: 0,
      settings: { loudness: -20 },
    })
    expect(warnings).toContainEqual(expect.stringContaining('The media is damaged in or shortly before this clip'))
    const joined = await runEndpoint(clipWindowEndpoint, {
      ...ask,
      settings: {
        ranges: [
          { start: 0.5, end: 1.5 },
          { start: 2.2, end: 3 },
        ],
      },
    })
    expect(joined.warnings).toContainEqual(expect.stringContaining('The media is damaged'))
  })

  it('does not warn without them', async () => {
    const finite = path.join(temporaryFolder(), 'finite.wav')
    await writeFile(finite, floatWavOf(new Float32Array(8_000).fill(0.1), 8_000))
    await runEndpoint(detectSilenceEndpoint, { file: finite })
    await runEndpoint(clipWindowEndpoint, { file: finite, start: 0 })
  })
})
