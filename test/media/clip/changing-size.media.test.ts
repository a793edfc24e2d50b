import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { placeCues, type ShownRange } from '../../../src/core/captions.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { type ModeInput, makeClip } from '../../../src/media/copying/make-clip.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { lookOf } from '../../setup/caption-look.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { frameSizesOf, framesOf, never, pictureOf, sizeOf, temporaryFolder, testFfmpeg } from '../measure.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

interface Part {
  readonly size: string
  readonly colour: string
  readonly seconds: number
}

/** Films of one colour each, one after another in one track. */
async function film(...parts: readonly Part[]): Promise<string> {
  const folder = temporaryFolder()
  const run = (args: readonly string[]) => promisify(execFile)(mediaTools.ffmpegPath, ['-v', 'error', '-y', ...args])
  const films: Buffer[] = []
  for (const [index, { size, colour, seconds }] of parts.entries()) {
    const file = path.join(folder, `${index}.h264`)
    const source = `color=c=${colour}:s=${size}:r=25:d=${seconds}`
    await run([
      '-f',
      'lavfi',
      '-i',
      source,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-bf',
      '0',
      '-g',
      '12',
      '-pix_fmt',
      'yuv420p',
      file,
    ])
    films.push(await readFile(file))
  }
  const joined = path.join(folder, 'joined.h264')
  await writeFile(joined, Buffer.concat(films))
  const made = path.join(folder, 'film.mkv')
  await run(['-r', '25', '-f', 'h264', '-i', joined, '-c', 'copy', made])
  return made
}

/** As a browser records its tab: the sizes of VP9 can be odd. */
async function recording(...parts: readonly Part[]): Promise<string> {
  const folder = temporaryFolder()
  const run = (args: readonly string[]) => promisify(execFile)(mediaTools.ffmpegPath, ['-v', 'error', '-y', ...args])
  const names = parts.map((_, index) => `${index}.webm`)
  for (const [index, { size, colour, seconds }] of parts.entries()) {
    const source = `color=c=${colour}:r=25:d=${seconds},scale=${size.replace('x', ':')}`
    const encoder = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '12']
    await run(['-f', 'lavfi', '-i', source, ...encoder, path.join(folder, names[index] ?? '')])
  }
  const list = path.join(folder, 'list.txt')
  await writeFile(list, names.map((name) => `file ${name}\n`).join(''))
  const made = path.join(folder, 'recording.mkv')
  await run(['-f', 'concat', '-i', list, '-c', 'copy', made])
  return made
}

async function make(
  file: string,
  ranges: readonly Segment[],
  asked: Partial<Pick<ModeInput, 'picture' | 'captions' | 'pieceSeconds' | 'store'>> = {},
) {
  const outputPath = path.join(temporaryFolder(), 'clip.mp4')
  const tracks = await readTracks({ path: file, format: 'mkv' }, ffmpeg, never)
  const clip = await makeClip('exact', { ...plainClip(), ...asked, tracks, ranges, format: 'mp4', outputPath, ffmpeg })
  return { ...clip, outputPath }
}

/** Near the left edge and in the middle, of the first picture from a time on. */
async function coloursAt(file: string, seconds: number): Promise<string[]> {
  const { width, height, rgb } = await pictureOf(file, `select='gte(t,${seconds})'`)
  const nameAt = (x: number) => {
    const at = 3 * (Math.floor(height / 2) * width + x)
    const [red = 0, green = 0] = rgb.subarray(at, at + 3)
    if (red > 150) return 'red'
    return green > 80 ? 'green' : 'black'
  }
  return [nameAt(4), nameAt(width >> 1)]
}

const small = { size: '160x120', colour: 'red', seconds: 2 }
const large = { size: '320x180', colour: 'green', seconds: 2 }

it('a clip has the size of the largest picture, and shows the others between bars, each at its time', async () => {
  const { receipt, outputPath } = await make(await film(small, large), [{ start: 0, end: 4 }])
  expect(receipt.substitutions).toContain('video sizes 160x120, 320x180 -> 320x180')
  expect(await sizeOf(outputPath)).toEqual({ width: 320, height: 180 })
  expect(await coloursAt(outputPath, 1)).toEqual(['black', 'red'])
  expect(await coloursAt(outputPath, 3)).toEqual(['green', 'green'])
  const times = (await framesOf(outputPath)).map(({ pts }) => Math.round(pts * 25))
  expect(times).toEqual(Array.from({ length: 100 }, (_, index) => index))
})

it.each([
  ['that becomes smaller', [large, small], [{ start: 0, end: 4 }], '320x180, 160x120'],
  [
    'of ranges that are joined',
    [small, large],
    [
      { start: 0, end: 1 },
      { start: 3, end: 4 },
    ],
    '160x120, 320x180',
  ],
  [
    'that becomes larger only for a while',
    [small, { ...large, seconds: 3 }, small],
    [{ start: 0, end: 7 }],
    '160x120, 320x180',
  ],
] as const)('so has one %s', async (_how, parts, ranges, sizes) => {
  const { receipt, outputPath } = await make(await film(...parts), ranges)
  expect(receipt.substitutions).toContain(`video sizes ${sizes} -> 320x180`)
  expect(await sizeOf(outputPath)).toEqual({ width: 320, height: 180 })
})

it('a crop is of the same part of the picture throughout', async () => {
  const picture = { aspect: '1:1', fit: 'crop', heightPixels: 180 } as const
  const { outputPath } = await make(await film(small, large), [{ start: 0, end: 4 }], { picture })
  expect(await sizeOf(outputPath)).toEqual({ width: 180, height: 180 })
  expect(await coloursAt(outputPath, 3)).toEqual(['green', 'green'])
})

it('a clip of a picture of an odd size that changes has one size', async () => {
  const odd = await recording({ ...small, size: '161x121' }, { ...large, size: '321x181' })
  const { outputPath, receipt } = await make(odd, [{ start: 0, end: 4 }])
  expect(receipt.substitutions).toContain('video sizes 161x121, 321x181 -> 320x180')
  expect(await frameSizesOf(outputPath)).toEqual(['320,180'])
  expect(await coloursAt(outputPath, 1)).toEqual(['black', 'red'])
  expect(await coloursAt(outputPath, 3)).toEqual(['green', 'green'])
})

/** Of the five looks at half a minute, none is at the small picture. */
const unseen = [
  { ...large, seconds: 8 },
  { ...small, seconds: 5 },
  { ...large, seconds: 15 },
]

it.each([
  ['of one range', [{ start: 0, end: 28 }]],
  [
    'of joined ranges',
    [
      { start: 0, end: 14 },
      { start: 14.5, end: 28 },
    ],
  ],
] as const)('pieces of a clip %s have one size, also those that begin where the size is another', async (_, ranges) => {
  const { store, names } = storeIn(temporaryFolder())
  const { outputPath, receipt } = await make(await film(...unseen), ranges, { pieceSeconds: 2, store })
  expect(names().filter((name) => name.startsWith('video-')).length).toBeGreaterThan(10)
  expect(await frameSizesOf(outputPath)).toEqual(['320,180'])
  expect(receipt.decodeErrors).toBe(0)
  expect(await coloursAt(outputPath, 7)).toEqual(['green', 'green'])
  expect(await coloursAt(outputPath, 9)).toEqual(['black', 'red'])
  expect(await coloursAt(outputPath, 20)).toEqual(['green', 'green'])
})

it('a crop that is larger than an unseen picture shows all of that between bars', async () => {
  const picture = { aspect: '1:1', fit: 'crop', heightPixels: 180 } as const
  const { outputPath } = await make(await film(...unseen), [{ start: 0, end: 28 }], { picture })
  expect(await frameSizesOf(outputPath)).toEqual(['180,180'])
  expect(await coloursAt(outputPath, 9)).toEqual(['red', 'red'])
})

/** Share of white pixels in the lower third of the first picture from a time on. */
async function captionAt(file: string, seconds: number): Promise<number> {
  const { width, height, rgb } = await pictureOf(file, `select='gte(t,${seconds})'`)
  const lower = rgb.subarray(3 * width * Math.floor((2 * height) / 3))
  let white = 0
  for (let at = 0; at < lower.length; at += 3)
    if (Math.min(lower[at] ?? 0, lower[at + 1] ?? 0, lower[at + 2] ?? 0) > 200) white += 1
  return white / (lower.length / 3)
}

const seenAt = [0.5, 1.5, 2.5, 3.5] as const

it.each([
  ['becomes larger', [small, { ...large, seconds: 3 }], [{ start: 0, end: 5 }]],
  ['becomes smaller', [large, { ...small, seconds: 3 }], [{ start: 0, end: 5 }]],
  ['is larger for a second', [small, { ...large, seconds: 1 }, small], [{ start: 0, end: 5 }]],
  [
    'is larger for less time than samples show',
    [small, { ...large, seconds: 1 }, { ...small, seconds: 25 }],
    [{ start: 0, end: 28 }],
  ],
  [
    'changes in ranges that are joined',
    [small, large, small],
    [
      { start: 0, end: 3 },
      { start: 3.5, end: 6 },
    ],
  ],
] as const)('captions are in a picture that %s, before and after the change', async (_how, parts, ranges) => {
  const cues = [
    { start: 0, end: 1, text: 'WORDS' },
    { start: 2.2, end: 2.9, text: 'WORDS' },
  ]
  const place = (shown: readonly ShownRange[]) => placeCues(cues, shown)
  const { outputPath, receipt } = await make(await film(...parts), ranges, {
    captions: { look: lookOf('plain'), place },
  })
  expect(receipt.decodeErrors).toBe(0)
  const shares = await Promise.all(seenAt.map((time) => captionAt(outputPath, time)))
  expect(shares.map((share) => share > 0.001)).toEqual([true, false, true, false])
})
