import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jpegOfEmptyScans } from '../../../lab/hostile/hostile-files.ts'
import { thumbnailScoreEndpoint } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { astronaut, fixture, portrait } from '../../fixtures/make.ts'
import { sizeOf, temporaryFolder } from '../../media/measure.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { runEndpoint } from '../run-endpoint.ts'

const found = z.object({
  frames: z.array(
    z.object({
      rank: z.number(),
      time: z.number().optional(),
      upload_id: z.string().optional(),
      score: z.number(),
      reasons: z.array(z.string()),
      point_of_interest: z.object({ x: z.number(), y: z.number() }),
      crops: z.array(z.object({ shape: z.string(), left: z.number(), width: z.number(), height: z.number() })),
    }),
  ),
})

async function writeBytes(hex: string): Promise<string> {
  const file = path.join(temporaryFolder(), 'picture')
  await writeFile(file, Buffer.from(hex, 'hex'))
  return file
}

/** The astronaut, whose header says that it is larger. */
async function hugeJpeg(): Promise<string> {
  const jpeg = await readFile(astronaut)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(65_000, frame + 5)
  jpeg.writeUInt16BE(65_000, frame + 7)
  return writeBytes(jpeg.toString('hex'))
}

/** Moments of the shots of shots.mp4. */
const [black, blurred, noise, film, face, pattern, grey] = [1, 3, 5, 7, 9, 11, 13]

describe.skipIf(!models.has('find-faces'))(`scoring thumbnails${whySkipped}`, () => {
  const score = async (ask: object) => {
    const file = await fixture('shots.mp4')
    const { result, ...rest } = await runEndpoint(thumbnailScoreEndpoint, { file, models, ...ask })
    return { frames: found.parse(result).frames, ...rest }
  }

  it('ranks a face, film and a pattern before what nobody would choose, with reasons', async () => {
    const times = [black, blurred, noise, film, face, pattern, grey]
    const { frames, files, billedMilliseconds } = await score({ settings: { times, crops: [] } })
    expect(frames.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(frames[0]?.time).toBe(face)
    expect(
      frames
        .slice(1, 3)
        .flatMap(({ time }) => time ?? [])
        .toSorted((a, b) => a - b),
    ).toEqual([film, pattern])
    const reasonsAt = (time: number) => frames.find((frame) => frame.time === time)?.reasons
    expect(reasonsAt(black)).toEqual(['nearly black'])
    expect(reasonsAt(blurred)).toEqual(['blurred'])
    expect(reasonsAt(noise)).toEqual(['noise'])
    expect(reasonsAt(grey)).toEqual(['blank'])
    expect(reasonsAt(face)).toContain('a clear face, wholly in the frame')
    expect([files, billedMilliseconds]).toEqual([[], 7_000])
  })

  it('scores the very frame that is shown, also one that no other frame refers to', async () => {
    const file = path.join(temporaryFolder(), 'b-frames.mp4')
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4']
    const coding = ['-c:v', 'libx264', '-bf', '3', '-g', '100', '-x264-params', 'b-pyramid=none:b-adapt=0']
    await runFfmpeg(...source, ...coding, file)
    const times = Array.from({ length: 8 }, (_, index) => (50 + index) / 25)
    const between = times.map((time) => time + 0.02)
    for (const asked of [times, between]) {
      const { frames } = await score({ file, settings: { times: asked, crops: [] } })
      expect(frames.flatMap(({ time }) => time ?? []).toSorted((a, b) => a - b)).toEqual(times)
    }
  })

  it('crops a frame around its face', async () => {
    const { frames, files } = await score({ start: face })
    const [frame] = frames
    expect(frame?.crops.map(({ shape, width, height }) => [shape, width, height])).toEqual([
      ['16:9', 640, 360],
      ['9:16', 202, 360],
      ['1:1', 360, 360],
    ])
    // The portrait is at 200 to 500 of 640 pixels, and its face to the left of its middle.
    expect(frame?.point_of_interest.x).toBeCloseTo(0.52, 1)
    for (const { left, width } of frame?.crops.slice(1) ?? [])
      expect(Math.abs(left + width / 2 - (frame?.point_of_interest.x ?? 0) * 640)).toBeLessThan(2)
    for (const { path, width, height } of files) expect(await sizeOf(path)).toEqual({ width, height })
  })

  it('scores the frames that an earlier job returned, of the same media only', async () => {
    const earlier = {
      job_a: { media_seconds: 14.0005, frames: [{ time: film }, { time: face }] },
      job_b: { media_seconds: 60, frames: [{ time: film }] },
      job_c: { segments: [] },
      job_d: { media_seconds: 14, frames: [] },
    }
    const ask = (job_id: string) => score({ earlier, settings: { job_id, crops: ['1:1'] } })
    const { frames, files, billedMilliseconds } = await ask('job_a')
    expect([frames.map(({ time }) => time), files.length, billedMilliseconds]).toEqual([[face, film], 2, 2_000])
    await expect(ask('job_b')).rejects.toMatchObject({
      code: 'invalid_request',
      message: /is of media of 60 s, this media has 14 s/,
    })
    await expect(ask('job_c')).rejects.toMatchObject({ code: 'invalid_request', message: /no frames/ })
    await expect(ask('job_d')).rejects.toMatchObject({ code: 'nothing_found' })
  })

  describe('of uploaded pictures', () => {
    const make = async (name: string, args: readonly string[]) => {
      const file = path.join(temporaryFolder(), name)
      await runFfmpeg(...args, file)
      return file
    }
    const scorePictures = (pictures: Readonly<Record<string, string>>, crops: readonly string[] = []) =>
      score({ pictures, settings: { upload_ids: Object.keys(pictures), crops } })

    it('ranks a JPEG and a WebP of a face before a blank picture, and crops them at their own sizes', async () => {
      const blank = await make('blank.jpg', ['-f', 'lavfi', '-i', 'color=gray:s=641x361', '-frames:v', '1'])
      const pictures = { upl_blank: blank, upl_webp: portrait, upl_jpeg: astronaut }
      const { frames, files, billedMilliseconds } = await scorePictures(pictures, ['9:16', '1:1'])
      expect(frames.at(-1)).toMatchObject({ upload_id: 'upl_blank', rank: 3, reasons: ['blank'] })
      for (const { reasons } of frames.slice(0, 2)) expect(reasons).toContain('a clear face, wholly in the frame')
      expect(new Set(frames.map(({ upload_id }) => upload_id))).toEqual(new Set(Object.keys(pictures)))
      const webp = frames.find(({ upload_id }) => upload_id === 'upl_webp')
      expect(webp?.crops.map(({ width }) => width)).toEqual([180, 240])
      expect(frames.every(({ time }) => time === undefined)).toBe(true)
      for (const { path: file, width, height } of files) expect(await sizeOf(file)).toEqual({ width, height })
      expect([files.length, billedMilliseconds]).toEqual([6, 3_000])
    })

    it('shows a picture of a camera that was held upright as people see it', async () => {
      const lying = await make('lying.jpg', ['-i', astronaut, '-vf', 'crop=320:240:0:0,transpose=cclock'])
      const jpeg = await readFile(lying)
      // EXIF with one entry: orientation 6, to be turned a quarter clockwise.
      const exif = Buffer.from('4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
      const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
      const upright = path.join(path.dirname(lying), 'upright.jpg')
      await writeFile(upright, Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]))
      const { frames, files } = await scorePictures({ upl_turned: upright }, ['16:9'])
      expect(frames[0]?.reasons).toContain('a clear face, wholly in the frame')
      expect(frames[0]?.crops).toEqual([expect.objectContaining({ left: 0, width: 320, height: 180 })])
      expect(await sizeOf(files[0]?.path ?? '')).toEqual({ width: 320, height: 180 })
    })

    it.each([
      [
        'a GIF',
        async () => writeBytes('474946383961010001008000'),
        'unsupported_file_type',
        /neither JPEG, PNG nor WebP/,
      ],
      ['media', async () => fixture('shots.mp4'), 'unsupported_file_type', /neither JPEG, PNG nor WebP/],
      ['an empty file', async () => writeBytes(''), 'unsupported_file_type', /neither JPEG, PNG nor WebP/],
      ['a cut PNG', async () => writeBytes('89504e470d0a1a0a0000000d49484452'), 'processing_failed', /cannot be read/],
      ['a JPEG of nothing', async () => writeBytes('ffd8ffe000104a4649460001'), 'processing_failed', /cannot be read/],
      ['a JPEG that claims 65,000 × 65,000 pixels', hugeJpeg, 'processing_failed', /cannot be read/],
      [
        'more pixels than are accepted',
        () => make('large.jpg', ['-f', 'lavfi', '-i', 'color=s=4096x2400', '-frames:v', '1']),
        'media_too_large',
        /4096 × 2400 pixels/,
      ],
      [
        'a JPEG of 400 kB with thousands of empty scans',
        async () => writeBytes(jpegOfEmptyScans(3072, 16_583).toString('hex')),
        'unsupported_file_type',
        /more than 100 scans/,
      ],
    ] as const)('refuses %s, and names the upload', async (_what, picture, code, message) => {
      const refused = scorePictures({ upl_good: astronaut, upl_bad: await picture() })
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
      await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/^upl_bad: /) })
    })
  })

  it('refuses a moment past the end of the media', async () => {
    await expect(score({ settings: { times: [film, 20] } })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
