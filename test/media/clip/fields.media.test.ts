import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import type { ModeInput } from '../../../src/media/copying/make-clip.ts'
import { writeStills } from '../../../src/media/frames/write-stills.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { writeFieldPictures, writeSoftTelecine } from '../../fixtures/field-pictures.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { clipFile } from '../clip-file.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { combsOf, fieldsOf, framesOf, never, pictureOf, sizeOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

type Asked = Partial<Pick<ModeInput, 'deinterlace' | 'ranges' | 'picture'>> & { readonly format?: ClipFormat }

async function make(name: FixtureName, mode: CutMode, { ranges = [{ start: 1.2, end: 2.4 }], ...asked }: Asked = {}) {
  const file = await fixture(name)
  return { ...(await clipFile(mode, file, { ranges, ...asked })), file }
}

/** How far the bar moves from one field to the next. */
async function stepsOf(file: string, first: 'tff' | 'bff'): Promise<Set<number>> {
  const places = await fieldsOf(file, first)
  const width = (await sizeOf(file)).width
  return new Set(places.slice(1).map((place, index) => (place - (places[index] ?? 0) + width) % width))
}

const joined = {
  ranges: [
    { start: 0.4, end: 1 },
    { start: 1.6, end: 2.4 },
  ],
}

describe('a clip of interlaced film keeps both fields, and which is shown first', () => {
  it.each([
    ['fields-upper.mp4', 'exact', 'tff'],
    ['fields-lower.mp4', 'exact', 'bff'],
    ['fields-upper.mp4', 'smart', 'tff'],
    ['fields-upper.mp4', 'copy', 'tff'],
    ['fields-mpeg2.mkv', 'exact', 'tff'],
    ['fields-dv.mov', 'exact', 'bff'],
    ['fields-later.mkv', 'exact', 'tff'],
  ] as const)('%s, %s', async (name, mode, first) => {
    const { receipt, outputPath } = await make(name, mode)
    expect(await stepsOf(outputPath, first)).toEqual(new Set([8]))
    expect(receipt.substitutions.filter((text) => /fields|pixel aspect/.test(text))).toEqual([])
    expect(receipt).toMatchObject(
      mode === 'smart' ? { mode: 'exact', fallbackReason: 'the picture is interlaced' } : { mode },
    )
    expect(mode === 'exact' ? receipt.framesEncoded : 30).toBe(30)
  })

  it('also in ranges that are joined', async () => {
    const { receipt, outputPath } = await make('fields-lower.mp4', 'exact', joined)
    const { framesEncoded, substitutions } = receipt
    expect({ framesEncoded, substitutions }).toEqual({ framesEncoded: 35, substitutions: [] })
    expect([...(await stepsOf(outputPath, 'bff'))]).toHaveLength(2)
  })
})

describe('a clip of interlaced film becomes progressive without combs, frame by frame, and says so', () => {
  it.each([
    ['if asked for', 'fields-upper.mp4', { deinterlace: true }],
    ['if asked for, joined', 'fields-lower.mp4', { deinterlace: true, ...joined }],
    ['as VP9', 'fields-upper.mp4', { format: 'webm' }],
    ['as H.265', 'fields-prores.mov', {}],
    ['cropped', 'fields-upper.mp4', { picture: { aspect: '1:1', fit: 'crop', heightPixels: null } }],
    ['smaller', 'fields-lower.mp4', { picture: { aspect: 'source', fit: 'crop', heightPixels: 90 } }],
    ['before its blurred copy', 'fields-mpeg2.mkv', { picture: { aspect: '9:16', fit: 'blur', heightPixels: null } }],
    ['turned', 'fields-turned.mp4', {}],
    ['where only the frames say that they are fields', 'fields-later.mkv', { deinterlace: true }],
  ] as const)('%s', async (_how, name, asked) => {
    const { receipt, outputPath } = await make(name, 'exact', asked)
    const isLower = name === 'fields-lower.mp4'
    expect(receipt.substitutions).toContain(`fields ${isLower ? 'lower' : 'upper'} first -> progressive`)
    expect(receipt.framesEncoded).toBe('ranges' in asked ? 35 : 30)
    expect(await combsOf(outputPath, name === 'fields-turned.mp4')).toBeLessThan(0.1)
  })
})

describe.each(['mp4', 'mkv'] as const)('H.264 in %s with a packet for each field', (container) => {
  const made = writeFieldPictures(temporaryFolder(), container)

  it('has as many frames as it shows', async () => {
    const { video } = await inspectFile(await made, ffmpeg, never)
    expect(video).toMatchObject({
      frameRate: 25,
      nominalFrameRate: 25,
      hasVariableFrameRate: false,
      firstField: 'upper',
    })
  })

  it.each([
    ['at a frame', 25, [{ start: 0.52, end: 1.52 }]],
    ['between the fields of a frame, and one field longer', 25, [{ start: 0.5, end: 1.52 }]],
    [
      'of frames that are joined',
      26,
      [
        { start: 0.04, end: 0.56 },
        { start: 1.04, end: 1.56 },
      ],
    ],
  ])('is cut %s', async (_where, frames, ranges) => {
    const { receipt, outputPath } = await clipFile('exact', await made, { ranges })
    const { framesEncoded, plannedFrames, substitutions } = receipt
    expect({ framesEncoded, plannedFrames, substitutions }).toEqual({
      ...{ framesEncoded: frames, plannedFrames: frames, substitutions: [] },
    })
    // Two ranges meet in one step.
    expect([...(await stepsOf(outputPath, 'tff'))].filter((step) => step === 4)).toHaveLength(1)
  })

  it.each([
    ['smart', 'exact'],
    ['copy', 'copy'],
  ] as const)('keeps its fields by %s', async (mode, used) => {
    const { receipt, outputPath } = await clipFile(mode, await made, { ranges: [{ start: 0.52, end: 1.52 }] })
    expect(receipt).toMatchObject({ mode: used, substitutions: [] })
    expect(await stepsOf(outputPath, 'tff')).toEqual(new Set([4]))
  })

  it('becomes progressive if asked for', async () => {
    const ranges = [{ start: 0.52, end: 1.52 }]
    const { receipt } = await clipFile('exact', await made, { ranges, deinterlace: true })
    expect(receipt).toMatchObject({ framesEncoded: 25, substitutions: ['fields upper first -> progressive'] })
  })
})

it('the first field is that of the frames, of which containers take one for the other', async () => {
  const names = ['fields-mpeg2.mkv', 'fields-upper.mp4', 'fields-lower.mp4', 'fields-dv.mov'] as const
  const found = await Promise.all(names.map(async (name) => inspectFile(await fixture(name), ffmpeg, never)))
  expect(found.map(({ video }) => video?.firstField)).toEqual(['upper', 'upper', 'lower', 'lower'])
})

it('film whose fields players repeat keeps its frames, each at its time', async () => {
  const { receipt, outputPath } = await clipFile('exact', await writeSoftTelecine(temporaryFolder()), {
    ranges: [{ start: 1, end: 3 }],
  })
  expect(receipt).toMatchObject({ framesEncoded: 48, plannedFrames: 48, decodeErrors: 0 })
  const times = (await framesOf(outputPath)).map(({ pts }) => pts)
  const fields = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) * 60))
  expect(new Set(fields.slice(1).map((count, index) => count + (fields[index] ?? 0)))).toEqual(new Set([5]))
})

it('progressive film stays as it is where it is to be deinterlaced', async () => {
  const { receipt } = await make('numbered.mp4', 'exact', { deinterlace: true })
  expect(receipt).toMatchObject({ substitutions: [], framesEncoded: 36 })
})

it.each(['fields-upper.mp4', 'fields-dv.mov', 'fields-turned.mp4'] as const)(
  'posters and stills of %s show no combs, and square pixels',
  async (name) => {
    const { poster, file, outputPath } = await make(name, 'copy')
    const { format } = await inspectFile(file, ffmpeg, never)
    const tracks = await readTracks({ path: file, format }, ffmpeg, never)
    const still = path.join(path.dirname(outputPath), 'still.jpg')
    if (!tracks.video) throw new Error('no picture')
    await writeStills({ tracks, video: tracks.video, ffmpeg, signal: never, seconds: 1, stills: [{ path: still }] })
    const { width, height } = tracks.video.shown
    for (const picture of [poster?.path ?? '', still]) {
      expect(await combsOf(picture, name === 'fields-turned.mp4')).toBeLessThan(0.1)
      expect((await pictureOf(picture)).width / (await pictureOf(picture)).height).toBeCloseTo(width / height, 1)
    }
  },
)
