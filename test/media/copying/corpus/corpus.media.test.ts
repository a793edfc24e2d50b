import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Clip } from '../../../../src/media/clip/clip-receipt.ts'
import { makeClip } from '../../../../src/media/copying/make-clip.ts'
import { readTracks } from '../../../../src/media/inspect/tracks.ts'
import { plainClip } from '../../../setup/plain-clip.ts'
import { never, temporaryFolder, testFfmpeg } from '../../measure.ts'
import { type Film, pairwiseCorpus, wholeCorpus } from './axes.ts'
import { type Look, look } from './look.ts'
import { makeFilm } from './make-film.ts'

const ffmpeg = testFfmpeg()
const films = process.env['CORPUS'] === 'whole' ? wholeCorpus() : pairwiseCorpus()
const window = { start: 0.71, end: 3.9 }
const nearly = 0.002

interface Made {
  readonly film: Film
  readonly source: Look
  readonly clip: Look
  readonly receipt: Clip['receipt']
  /** The source's time at the clip's 0. */
  readonly zero: number
}

describe.each(films)('$codec $rate, $groups, sound $sound, start $start, $turn', (film) => {
  it('is cut in each mode as its receipt says', async () => {
    const folder = temporaryFolder()
    const file = await makeFilm(folder, film)
    const format = film.sound === 'pcm' ? 'mov' : 'mp4'
    const source = await look(file)
    const tracks = await readTracks({ path: file, format }, ffmpeg, never)
    for (const mode of ['exact', 'smart', 'copy'] as const) {
      const outputPath = path.join(folder, `${mode}.${format}`)
      const { receipt } = await makeClip(mode, {
        ...plainClip(),
        ...{ tracks, ranges: [window], format, outputPath, ffmpeg },
      })
      const clip = await look(outputPath)
      const made = {
        film,
        source,
        clip,
        receipt,
        zero: receipt.presented.start - clip.startSeconds + tracks.originSeconds,
      }
      expectReceiptOf(made)
      if (receipt.mode === 'copy') expectCopied(made)
      else expectExact(made, tracks.originSeconds)
      expect(receipt.mode, receipt.fallbackReason ?? mode).toBe(mode === 'smart' ? smartModeOf(film) : mode)
      expect(receipt.fallbackReason === null, `${mode}: ${receipt.fallbackReason}`).toBe(receipt.mode === mode)
    }
  }, 60_000)
})

/** One group of pictures is encoded whole, and so are groups of H.264 that refer to others. */
function smartModeOf({ codec, groups }: Film): 'smart' | 'exact' {
  return groups === 'one-keyframe' || (groups === 'open' && codec === 'h264') ? 'exact' : 'smart'
}

function expectReceiptOf({ source, clip, receipt }: Made): void {
  expect(clip.problems).toBe('')
  expect(receipt.framesEncoded + receipt.framesCopied).toBe(clip.stored.length)
  // What the source hides before its start, a copy stores and hides too.
  expect(clip.pictures).toHaveLength(clip.frames.length)
  expect(receipt.videoCodec).toBe(clip.codec)
  expect(
    Math.abs(receipt.presented.end - receipt.presented.start - (clip.endSeconds - clip.startSeconds)),
  ).toBeLessThan(nearly)
  expect(receipt.stored.start).toBeLessThanOrEqual(receipt.presented.start + nearly)
  expect(clip.size).toBe(source.size)
}

/** The frames between start and end, each at its own time; copied ones are the source's, bit by bit. */
function expectExact({ source, clip, receipt, zero, film }: Made, origin: number): void {
  const shown = source.frames.filter(
    ({ pts }) => pts - origin >= window.start - 0.0005 && pts - origin < window.end - 0.0005,
  )
  expect(clip.frames).toHaveLength(shown.length)
  for (const [index, { pts }] of clip.frames.entries())
    expect(Math.abs(pts + zero - (shown[index]?.pts ?? 0)), `time of frame ${index}`).toBeLessThan(nearly)
  if (receipt.mode === 'exact') return
  expect(clip.rotation).toBe(source.rotation)
  const bytes = new Set(source.stored)
  expect(clip.stored.filter((each) => bytes.has(each))).toHaveLength(receipt.framesCopied)
  expect(receipt.framesCopied, JSON.stringify(film)).toBeGreaterThan(20)
  const pictures = new Set(source.pictures)
  expect(clip.pictures.filter((each) => pictures.has(each)).length).toBeGreaterThanOrEqual(receipt.framesCopied)
}

/** From a keyframe at or before the start, and all that is stored is shown. */
function expectCopied({ source, clip, receipt, zero }: Made): void {
  const bytes = new Set(source.stored)
  expect(clip.stored.filter((each) => !bytes.has(each))).toEqual([])
  expect(receipt.framesEncoded).toBe(0)
  expect(clip.codec).toBe(source.codec)
  expect(clip.rotation).toBe(source.rotation)
  if (clip.frames.length === clip.stored.length) expect(clip.frames[0]?.isKeyframe).toBe(true)
  expect(receipt.presented.start).toBeLessThanOrEqual(window.start + nearly)
  expect(receipt.presented.end).toBeGreaterThanOrEqual(window.end - nearly)
  expect(receipt.presented.end).toBeLessThan(window.end + 0.5)
  const pictures = new Set(source.pictures)
  const strange = clip.pictures.filter((each) => !pictures.has(each))
  expect(strange).toEqual([])
  const first = source.frames.find(({ bytes: each }) => each === clip.frames[0]?.bytes)
  if (first) expect(Math.abs(first.pts - zero - (clip.frames[0]?.pts ?? 0))).toBeLessThan(nearly)
}
