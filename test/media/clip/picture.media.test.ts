import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Cue, placeCues, type ShownRange } from '../../../src/core/captions.ts'
import type { CropFollower } from '../../../src/core/picture.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { PictureRequest } from '../../../src/media/clip/clip-picture.ts'
import { cutClip, cutPieces } from '../../../src/media/clip/cut.ts'
import { joinRanges } from '../../../src/media/clip/join.ts'
import { makePiece, piecesOf } from '../../../src/media/clip/video-pieces.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { lookOf } from '../../setup/caption-look.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { canMeasureTools, never, pictureOf, sizeOf, temporaryFolder, testFfmpeg, toolMeasures } from '../measure.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

async function inputOf(name: FixtureName, request: Partial<PictureRequest>, extra: object = {}) {
  const file = await fixture(name)
  const { format } = await inspectFile(file, ffmpeg, never)
  return {
    ...plainClip(),
    tracks: await readTracks({ path: file, format }, ffmpeg, never),
    format: 'mp4' as const,
    picture: { aspect: 'source', fit: 'crop', heightPixels: null, ...request } as const,
    outputPath: path.join(temporaryFolder(), 'clip.mp4'),
    ffmpeg,
    ...extra,
  }
}

async function cut(name: FixtureName, request: Partial<PictureRequest>, window = { start: 4.2, end: 5 }) {
  const input = await inputOf(name, request)
  const { receipt } = await cutClip({ ...input, window })
  const shown = await inspectFile(input.outputPath, ffmpeg, never)
  return { file: input.outputPath, receipt, size: await sizeOf(input.outputPath), shown: shown.video }
}

/** The mean of a part of a picture, for each colour. */
async function colourOf(file: string, part: string): Promise<readonly number[]> {
  return [...(await pictureOf(file, `crop=${part},scale=1:1:flags=area`)).rgb]
}

describe('the shape of a clip', () => {
  it.each([
    ['shots.mp4', { aspect: '9:16' }, [1080, 1920]],
    ['shots.mp4', { aspect: '4:5', heightPixels: 200 }, [160, 200]],
    ['shots.mp4', { heightPixels: 181 }, [320, 180]],
    ['shots.mp4', { heightPixels: 720 }, [640, 360]],
    ['shots.mp4', { aspect: '9:16', fit: 'pad', heightPixels: 640 }, [360, 640]],
    ['shots.mp4', { aspect: '1:1', fit: 'blur', heightPixels: 480 }, [480, 480]],
    // Shown as 360 × 1280.
    ['turned-shots.mp4', { aspect: '9:16', heightPixels: 640 }, [360, 640]],
    ['turned-shots.mp4', { aspect: '16:9', fit: 'blur', heightPixels: 200 }, [356, 200]],
    ['turned-shots.mp4', { heightPixels: 640 }, [180, 640]],
    ['odd.webm', { aspect: '1:1', heightPixels: 120 }, [120, 120]],
  ] as const)('of %s with %j is %j', async (name, request, [width, height]) => {
    const window = name === 'odd.webm' ? { start: 0, end: 0.4 } : undefined
    const { size, shown, receipt } = await cut(name, request, window)
    expect(size).toEqual({ width, height })
    // Square pixels, and no rotation that turns them.
    expect(shown).toMatchObject(size)
    expect(receipt.picture).toMatchObject({ width, height })
    expect(receipt.substitutions.filter((each) => each.startsWith('video size'))).toEqual([])
    expect(receipt.substitutions.filter((each) => each.startsWith('picture'))).toEqual(
      height === 1920 ? ['picture enlarged 5.3 times'] : [],
    )
    expect(receipt.framesEncoded).toBe(receipt.plannedFrames)
  })

  it('shows the middle of the source as it is, whatever its pixels and its rotation', async () => {
    const part = await pictureOf(
      await fixture('turned-shots.mp4'),
      'trim=start=11,scale=360:1280,crop=360:640,scale=9:16:flags=area',
    )
    const { file } = await cut('turned-shots.mp4', { aspect: '9:16' }, { start: 11, end: 11.4 })
    const made = await pictureOf(file, 'scale=9:16:flags=area')
    const off = part.rgb.map((value, index) => Math.abs(value - (made.rgb[index] ?? 0)))
    expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThan(4)
  })

  it('has bars around the whole picture, or a blurred copy', async () => {
    const window = { start: 13, end: 13.4 }
    const { file: padded } = await cut('shots.mp4', { aspect: '9:16', fit: 'pad', heightPixels: 640 }, window)
    expect(Math.max(...(await colourOf(padded, '360:200:0:0')))).toBeLessThan(3)
    expect(Math.min(...(await colourOf(padded, '360:190:0:225')))).toBeGreaterThan(100)
    const { file: blurred } = await cut('shots.mp4', { aspect: '9:16', fit: 'blur', heightPixels: 640 }, window)
    expect(Math.min(...(await colourOf(blurred, '360:200:0:0')))).toBeGreaterThan(100)
  })

  it('is kept if the source has it', async () => {
    const { receipt, size } = await cut('shots.mp4', { aspect: '16:9', fit: 'blur', heightPixels: 360 })
    expect([receipt.picture?.fit, size]).toEqual(['scale', { width: 640, height: 360 }])
  })

  it.runIf(canMeasureTools)('takes no more memory than the source at its size', async () => {
    const { ffmpeg: measured, peakBytes } = toolMeasures()
    const input = await inputOf('shots.mp4', { aspect: '9:16', fit: 'blur' }, { ffmpeg: measured })
    await cutClip({ ...input, window: { start: 4, end: 6 } })
    expect(peakBytes()).toBeLessThan(256 * 2 ** 20)
  })
})

describe('a crop that follows', () => {
  const following = (find: CropFollower['find'], points: CropFollower['points'] = []): CropFollower => ({
    follows: 'faces',
    points,
    find,
  })
  /** From the left to the right in the ten seconds of the film. */
  const find = async () => [
    { seconds: 0, at: 0, follows: 'faces' as const },
    { seconds: 10, at: 1, follows: 'faces' as const },
  ]
  /** How far the clip's picture at a moment is from crops of the source's at both ends of the room, 0 to 255. */
  const offFrom = async (clip: string, seconds: number) => {
    const made = await pictureOf(clip, `trim=start=${seconds}`)
    const source = await fixture('three-minutes.mp4')
    const off = async (left: number) => {
      const part = await pictureOf(source, `trim=start=${60 + seconds},crop=136:136:${left}:0`)
      return part.rgb.reduce((sum, value, index) => sum + Math.abs(value - (made.rgb[index] ?? 0)), 0) / part.rgb.length
    }
    return { left: await off(0), right: await off(104) }
  }

  it('lies where its path is at the time of each frame of the source, in one run and in pieces', async () => {
    const window = { start: 60, end: 75 }
    const ramp = async () => [
      { seconds: 60, at: 0, follows: 'faces' as const },
      { seconds: 67, at: 0, follows: 'faces' as const },
      { seconds: 67, at: 1, follows: 'faces' as const },
      { seconds: 75, at: 1, follows: 'faces' as const },
    ]
    const stored = storeIn(temporaryFolder())
    const request = { aspect: '1:1', heightPixels: 136 } as const
    const whole = await inputOf('three-minutes.mp4', request, { follower: following(ramp) })
    await cutClip({ ...whole, window })
    const pieces = await inputOf('three-minutes.mp4', request, {
      ...{ follower: following(ramp), pieceSeconds: 5, store: stored.store },
    })
    const clip = await cutPieces({ ...pieces, window })
    // The sound is one of them.
    expect(piecesOf(clip)).toHaveLength(4)
    for (const index of [0, 1, 2, 3]) await makePiece(pieces, clip, index)
    const { receipt } = await cutClip({ ...pieces, window })
    expect(stored.restored.filter((name) => name.startsWith('video'))).toHaveLength(3)
    expect(receipt.picture?.follows).toBe('faces')
    for (const { outputPath } of [whole, pieces]) {
      const [before, after] = [await offFrom(outputPath, 6.95), await offFrom(outputPath, 6.99)]
      expect(before.left * 2).toBeLessThan(before.right)
      expect(after.right * 2).toBeLessThan(after.left)
    }
  })

  it('is said to keep to the centre if there was nothing to follow, in one run, joined and in pieces', async () => {
    const request = { aspect: '1:1', heightPixels: 136 } as const
    const nothing = { follower: following(async () => []) }
    const followed = async (extra: object, window: Segment, second?: Segment) => {
      const input = await inputOf('three-minutes.mp4', request, extra)
      const clip = await (second ? joinRanges({ ...input, ranges: [window, second] }) : cutClip({ ...input, window }))
      return clip.receipt.picture?.follows
    }
    const short = { start: 1, end: 1.4 }
    expect(await followed(nothing, short)).toBe('centre')
    expect(await followed({ follower: following(find) }, short)).toBe('faces')
    expect(await followed(nothing, short, { start: 3, end: 3.4 })).toBe('centre')
    expect(await followed({ follower: following(find) }, short, { start: 3, end: 3.4 })).toBe('faces')
    const long = { start: 60, end: 72 }
    const inPieces = { pieceSeconds: 5, store: storeIn(temporaryFolder()).store }
    const sometimes = async (_room: unknown, [window]: readonly Segment[]) =>
      window && window.start > 62 ? find() : []
    expect(await followed({ ...nothing, ...inPieces }, long)).toBe('centre')
    // The pieces are stored with what they followed.
    expect(await followed({ follower: following(find), ...inPieces }, long)).toBe('centre')
    const stored = storeIn(temporaryFolder())
    const partly = { follower: following(sometimes), pieceSeconds: 5, store: stored.store }
    expect(await followed(partly, long)).toBe('faces')
    expect(await followed(partly, long)).toBe('faces')
    expect(stored.restored.filter((name) => name.startsWith('path'))).toHaveLength(2)
  })

  it('does not take the pieces of a crop that keeps to the centre', async () => {
    const window = { start: 0, end: 12 }
    const namesOf = async (extra: object, request: Partial<PictureRequest> = { aspect: '1:1' }) => {
      const input = await inputOf('three-minutes.mp4', request, {
        ...extra,
        pieceSeconds: 5,
        store: storeIn(temporaryFolder()).store,
      })
      return (await cutPieces({ ...input, window })).video.map(({ fileName }) => fileName)
    }
    const [followed, centred] = [await namesOf({ follower: following(find) }), await namesOf({})]
    const names = [...followed, ...centred, ...(await namesOf({}, {})), ...(await namesOf({}, { heightPixels: 20 }))]
    expect(new Set(names).size).toBe(names.length)
  })

  it('makes one piece again if a point is moved in it', async () => {
    const window = { start: 0, end: 20 }
    const namesOf = async (x: number) => {
      const points = [
        { start: 2, end: 3, x: 0.5, y: 0.5 },
        { start: 12, end: 13, x, y: 0.5 },
      ]
      const extra = { follower: following(find, points), pieceSeconds: 5, store: storeIn(temporaryFolder()).store }
      const input = await inputOf('three-minutes.mp4', { aspect: '1:1' }, extra)
      return (await cutPieces({ ...input, window })).video.map(({ fileName }) => fileName)
    }
    const [before, after] = [await namesOf(0.2), await namesOf(0.8)]
    expect(before.length).toBeGreaterThanOrEqual(4)
    expect(before.filter((name) => !after.includes(name))).toHaveLength(1)
  })

  it('and captions are the same in pieces as in one run, and other captions make other pieces', async () => {
    const window = { start: 60, end: 75 }
    const cues = [64.9, 69.2, 70.4].map((start, index) => ({ start, end: start + 0.8, text: `caption ${index}` }))
    const captioned = (shown: readonly Cue[]) => ({
      captions: { look: lookOf('boxed'), place: (ranges: readonly ShownRange[]) => placeCues(shown, ranges) },
    })
    const whole = await inputOf('three-minutes.mp4', { aspect: '1:1', heightPixels: 136 }, captioned(cues))
    const { receipt } = await cutClip({ ...whole, window })
    expect(receipt).toMatchObject({ framesEncoded: 375, plannedFrames: 375, captions: { outside: 0 } })
    const stored = storeIn(temporaryFolder())
    const inPieces = { pieceSeconds: 5, store: stored.store }
    const pieces = await inputOf(
      'three-minutes.mp4',
      { aspect: '1:1', heightPixels: 136 },
      { ...captioned(cues), ...inPieces },
    )
    expect((await cutClip({ ...pieces, window })).receipt).toMatchObject({ framesEncoded: 375 })
    // Blocks, in which noise is averaged away.
    const blocksAt = (file: string, seconds: number) => pictureOf(file, `trim=start=${seconds},scale=34:34:flags=area`)
    for (const seconds of [4.8, 5.1, 9.1, 9.5, 10.3, 10.5, 11.3]) {
      const [one, other] = await Promise.all([whole, pieces].map(({ outputPath }) => blocksAt(outputPath, seconds)))
      const off = one?.rgb.reduce((sum, value, index) => sum + Math.abs(value - (other?.rgb[index] ?? 0)), 0)
      expect((off ?? Number.NaN) / 34 ** 2 / 3, `at ${seconds}`).toBeLessThan(3)
    }
    const namesOf = async (shown: readonly Cue[]) => {
      const input = await inputOf('three-minutes.mp4', { aspect: '1:1' }, { ...captioned(shown), ...inPieces })
      return (await cutPieces({ ...input, window })).video.map(({ fileName }) => fileName)
    }
    const [before, after] = [await namesOf(cues), await namesOf(cues.slice(0, 2))]
    expect(before.map((name, index) => name === after[index])).toEqual([true, true, false])
  })

  it('is looked for in the ranges of a joined clip alone', async () => {
    const asked: unknown[] = []
    const input = await inputOf(
      'shots.mp4',
      { aspect: '1:1' },
      {
        follower: following(async (_room: unknown, windows: unknown) => {
          asked.push(windows)
          return []
        }),
      },
    )
    await joinRanges({
      ...input,
      ranges: [
        { start: 1, end: 1.5 },
        { start: 12.5, end: 13 },
      ],
    })
    expect(asked).toEqual([
      [
        { start: 1, end: 1.5 },
        { start: 12.5, end: 13 },
      ],
    ])
  })
})
