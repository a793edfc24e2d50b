import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { mediaTools, runFfmpeg } from '../../setup/tools.ts'
import { clipFile } from '../clip-file.ts'
import { framesOf, temporaryFolder } from '../measure.ts'
import { type Look, look } from './corpus/look.ts'

const exec = promisify(execFile)

interface Film {
  readonly name?: string
  readonly x265: string
  /** Of frames. */
  readonly filter?: string
  readonly options?: readonly string[]
  readonly pixels?: string
}

/** Twelve seconds. */
async function makeFilm({
  name = 'film.mp4',
  x265,
  filter = 'null',
  pixels = 'yuv420p',
  options = ['-tag:v', 'hvc1'],
}: Film) {
  const file = path.join(temporaryFolder(), name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=192x108:rate=25:duration=12']
  const params = ['-preset', 'ultrafast', '-x265-params', `${x265}:scenecut=0:b-adapt=0:log-level=none`]
  const video = ['-vf', filter, '-fps_mode', 'passthrough', '-pix_fmt', pixels, '-c:v', 'libx265', ...params]
  const args = [...picture, '-f', 'lavfi', '-i', 'sine=duration=12', ...video, ...options, '-c:a', 'aac', file]
  await runFfmpeg(...args)
  return file
}

interface Asked {
  readonly format?: ClipFormat
}

async function make(mode: CutMode, file: string, ranges: readonly Segment[], asked: Asked = {}) {
  const { receipt, outputPath, tracks } = await clipFile(mode, file, { ranges, ...asked })
  return { receipt, outputPath, originSeconds: tracks.originSeconds }
}

const closed = 'keyint=25:min-keyint=25:bframes=2:b-pyramid=0:open-gop=0'
const open = 'keyint=27:min-keyint=27:bframes=3:b-pyramid=0:open-gop=1'
const pyramid = 'keyint=27:min-keyint=27:bframes=6:b-pyramid=1:open-gop=1:rc-lookahead=20'
const talk = [
  { start: 0.53, end: 4.4 },
  { start: 5.3, end: 8.21 },
  { start: 9.02, end: 11.77 },
]

/** The lines of ffprobe about the packets of the picture, in decoding order. */
async function packetsOf(file: string) {
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts,dts,flags', '-of', 'csv=p=0']
  const { stdout } = await exec(mediaTools.ffprobePath, ['-v', 'error', ...entries, file])
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([pts, dts, flags]) => ({ pts: Number(pts), dts: Number(dts), isKeyframe: flags?.startsWith('K') === true }))
}

/** How many packets after keyframes are shown before them. */
async function countLeading(file: string): Promise<number> {
  let [keyframe, count] = [0, 0]
  for (const { pts, isKeyframe } of await packetsOf(file)) {
    if (isKeyframe) keyframe = pts
    else if (pts < keyframe) count += 1
  }
  return count
}

async function sampleEntryOf(file: string): Promise<string> {
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=codec_tag_string', '-of', 'csv=p=0']
  const { stdout } = await exec(mediaTools.ffprobePath, ['-v', 'error', ...entries, file])
  // An empty section follows, of side data.
  return stdout.trim().replace(/,$/, '')
}

/** The hash of the frame that a player shows after it jumped to this time. */
async function frameAfterSeek(file: string, seconds: number): Promise<string | undefined> {
  const seek = ['-ss', seconds.toFixed(6), '-i', file, '-map', '0:v', '-frames:v', '1', '-f', 'framemd5', '-']
  const { stdout } = await exec(mediaTools.ffmpegPath, ['-v', 'error', ...seek])
  return stdout.trim().split(',').at(-1)?.trim()
}

function framesIn({ frames }: Look, ranges: readonly Segment[], originSeconds: number) {
  const isIn = (seconds: number) => ranges.some(({ start, end }) => seconds >= start - 0.0005 && seconds < end - 0.0005)
  return frames.filter(({ pts }) => isIn(pts - originSeconds))
}

describe('smart, of HEVC', () => {
  it.each<readonly [string, Film, { readonly leading: boolean; readonly copied: number }]>([
    ['closed groups of pictures', { x265: closed }, { leading: false, copied: 150 }],
    ['open ones, with leading pictures', { x265: open }, { leading: true, copied: 156 }],
    ['a pyramid of B-frames', { x265: pyramid }, { leading: true, copied: 170 }],
    ['a variable frame rate', { x265: open, filter: "select='lt(mod(n\\,5)\\,4)'" }, { leading: true, copied: 102 }],
    ['a MOV file', { name: 'film.mov', x265: open }, { leading: true, copied: 156 }],
    [
      'parameter sets among the frames',
      { x265: `${open}:repeat-headers=1`, options: ['-tag:v', 'hev1'] },
      { leading: true, copied: 156 },
    ],
    ['a Matroska file', { name: 'film.mkv', x265: open, options: [] }, { leading: true, copied: 156 }],
    ['10 bits', { x265: `${open}:hdr10=1:max-cll=1000,400`, pixels: 'yuv420p10le' }, { leading: true, copied: 156 }],
    ['several slices a picture', { x265: `${open}:slices=3`, filter: 'scale=384:216' }, { leading: true, copied: 156 }],
  ])(
    'copies %s',
    async (_name, film, { leading, copied }) => {
      const file = await makeFilm(film)
      expect((await countLeading(file)) > 0).toBe(leading)
      const source = await look(file)
      const { receipt, outputPath, originSeconds } = await make('smart', file, talk)
      expect(receipt).toMatchObject({ mode: 'smart', fallbackReason: null, videoCodec: 'hevc' })
      expect(receipt.framesCopied).toBeGreaterThanOrEqual(copied)
      const clip = await look(outputPath)
      expect(clip.problems).toBe('')
      expect(await sampleEntryOf(outputPath)).toBe('hvc1')
      expect(receipt.framesCopied + receipt.framesEncoded).toBe(clip.stored.length)

      // The bytes and the pictures of the copied packets are the source's.
      const [bytes, pictures] = [new Set(source.stored), new Set(source.pictures)]
      expect(clip.stored.filter((each) => bytes.has(each))).toHaveLength(receipt.framesCopied)
      expect(clip.pictures).toHaveLength(clip.stored.length)
      expect(clip.pictures.filter((each) => pictures.has(each)).length).toBeGreaterThanOrEqual(receipt.framesCopied)

      // Each frame is where the receipt says, and looks like the one of the source.
      const shown = framesIn(
        source,
        receipt.ranges.map(({ presented }) => presented),
        originSeconds,
      )
      expect(shown).toHaveLength(clip.frames.length)
      const lumas = await framesOf(file)
      const made = await framesOf(outputPath)
      let at = 0
      for (const { presented, atSeconds } of receipt.ranges) {
        for (const { pts } of framesIn(source, [presented], originSeconds)) {
          const frame = made[at]
          const first = clip.frames[0]?.pts ?? 0
          expect(
            Math.abs((frame?.pts ?? 0) - first - (atSeconds + pts - originSeconds - presented.start)),
          ).toBeLessThan(0.002)
          const luma = lumas.find((each) => Math.abs(each.pts - pts) < 0.001)?.luma ?? -1
          expect(Math.abs((frame?.luma ?? -100) - luma)).toBeLessThanOrEqual(8)
          at += 1
        }
      }
      const packets = await packetsOf(outputPath)
      expect(packets.filter(({ dts }, index) => index > 0 && dts <= (packets[index - 1]?.dts ?? 0))).toEqual([])
      expect(packets.filter(({ pts, dts }) => pts < dts)).toEqual([])

      // Players can jump to every keyframe.
      for (const [index, { pts, isKeyframe }] of clip.frames.entries())
        if (isKeyframe) expect(await frameAfterSeek(outputPath, pts), `${pts}`).toBe(clip.pictures[index])
    },
    60_000,
  )

  it('shows the right pictures where ranges meet that begin and end beside leading pictures', async () => {
    const file = await makeFilm({ x265: open })
    const packets = await packetsOf(file)
    const points = packets.flatMap(({ pts, isKeyframe }, index) =>
      isKeyframe
        ? [{ at: pts / 12_800, leading: Math.min(...packets.slice(index).map((each) => each.pts)) / 12_800 }]
        : [],
    )
    const ranges = [1, 6].map((first) => ({ start: points[first]?.at ?? 0, end: points[first + 2]?.leading ?? 0 }))
    const { receipt, outputPath, originSeconds } = await make('smart', file, ranges)
    const [source, clip] = [await look(file), await look(outputPath)]
    expect(clip.problems).toBe('')
    expect(clip.pictures).toHaveLength(framesIn(source, ranges, originSeconds).length)
    const pictures = new Set(source.pictures)
    expect(clip.pictures.filter((each) => pictures.has(each)).length).toBeGreaterThanOrEqual(receipt.framesCopied)
  })

  it('ends the sequence behind encoded frames, because a CRA picture does not begin one by itself', async () => {
    const { receipt, outputPath } = await make('smart', await makeFilm({ x265: open }), talk)
    expect(receipt.mode).toBe('smart')
    const ends = ['-map', '0:v', '-c', 'copy', '-bsf:v', 'filter_units=pass_types=36', '-f', 'framemd5', '-']
    const { stdout } = await exec(mediaTools.ffmpegPath, ['-v', 'error', '-i', outputPath, ...ends])
    // Before the first range's copy, between those of two, and at the end.
    expect(stdout.split('\n').filter((line) => /^\d/.test(line))).toHaveLength(4)
  })

  it('copies whole ranges that begin and end at keyframes, and encodes nothing', async () => {
    const ranges = [
      { start: 1, end: 3 },
      { start: 6, end: 8 },
    ]
    const { receipt, outputPath } = await make('smart', await makeFilm({ x265: closed }), ranges)
    expect(receipt).toMatchObject({ mode: 'smart', fallbackReason: null, framesCopied: 100, framesEncoded: 0 })
    expect((await look(outputPath)).pictures).toHaveLength(100)
  })

  it.each<readonly [string, Film, Asked, RegExp]>([
    ['one keyframe', { x265: 'keyint=999:min-keyint=999' }, {}, /no whole group of pictures/],
    ['fields as pictures', { x265: `${closed}:interlace=tff` }, {}, /the picture is interlaced/],
    ['an M4V clip', { x265: closed }, { format: 'm4v' }, /hevc is not copied into m4v/],
    ['4:2:2', { x265: closed, pixels: 'yuv422p10le' }, {}, /no profile for yuv422p10le/],
  ])('is exact for %s, and says why', async (_name, film, asked, reason) => {
    const { receipt } = await make('smart', await makeFilm(film), [{ start: 0.5, end: 3.5 }], asked)
    const videoCodec = film.pixels ? 'hevc' : 'h264'
    expect(receipt).toMatchObject({ mode: 'exact', videoCodec, framesCopied: 0, framesEncoded: 75 })
    expect(receipt.fallbackReason).toMatch(reason)
  })

  it('is exact where the parameter sets change', async () => {
    const options = ['-tag:v', 'hev1']
    const parts = [
      await makeFilm({ x265: `${closed}:repeat-headers=1`, options }),
      await makeFilm({ x265: `${closed}:repeat-headers=1:cbqpoffs=-6:crqpoffs=-6:ref=4`, options }),
    ]
    const folder = temporaryFolder()
    const [list, file] = [path.join(folder, 'list.txt'), path.join(folder, 'changing.mp4')]
    await writeFile(list, parts.map((part) => `file '${part}'\n`).join(''))
    await runFfmpeg('-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', file)
    const { receipt } = await make('smart', file, [{ start: 9.5, end: 14.5 }])
    expect(receipt).toMatchObject({ mode: 'exact', framesCopied: 0 })
    expect(receipt.fallbackReason).toMatch(/parameter sets of the picture change/)
  })
})

describe('copy, of HEVC', () => {
  it('shows joined ranges in order, however far apart they are in the source', async () => {
    const file = await makeFilm({ x265: open })
    // The order of pictures is counted modulo 256, and 165 frames are left out.
    const ranges = [
      { start: 0, end: 0.96 },
      { start: (7 * 27) / 25, end: 11 },
    ]
    const { receipt, outputPath } = await make('copy', file, ranges)
    expect(receipt).toMatchObject({ mode: 'copy', framesEncoded: 0 })
    const [source, clip] = [await look(file), await look(outputPath)]
    expect(clip.problems).toBe('')
    expect(clip.pictures).toEqual([
      ...source.pictures.slice(0, 25),
      ...source.pictures.slice(189, 189 + clip.pictures.length - 25),
    ])
    expect(clip.pictures).toHaveLength(receipt.framesCopied)
  })
})
