import { expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { CropPoint } from '../../../src/core/picture.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { stretchAlong } from '../../../src/media/clip/followed-crop.ts'
import { cropFollower } from '../../../src/media/frames/follow-subject.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { type Models, modelInterfaces } from '../../../src/models/models.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
/** Of 64 × 36 pixels. */
const frameBytes = 64 * 36 * 3

it('costs no more where every frame of a film is a cut, however many it has', async () => {
  const file = await fixture('flicker.mp4')
  const { format } = await inspectFile(file, ffmpeg, never)
  const tracks = await readTracks({ path: file, format }, ffmpeg, never)
  let [bytes, looks] = [0, 0]
  const counted: Ffmpeg = {
    ...ffmpeg,
    run: (options) =>
      ffmpeg.run({
        ...options,
        output: (chunk) => {
          bytes += chunk.length
          return typeof options.output === 'string' ? undefined : options.output(chunk)
        },
      }),
  }
  const models: Models = {
    has: () => true,
    run: async (name) => {
      looks += 1
      // Hardly a face.
      return modelInterfaces[name].output.parse([{ x: 0.2, y: 0.2, width: 0.1, height: 0.1, score: 0.5 }])
    },
  }
  const screenTexts = { get: () => Promise.reject(new Error('no text is read')) }
  const film = { tracks, models, screenTexts, ffmpeg: counted }
  const path = await cropFollower(film, { subject: 'faces', points: [] })?.find(
    { along: 'x', share: 0.3 },
    [{ start: 0, end: 2 }],
    never,
  )
  // No face was found.
  expect(path).toEqual([])
  expect(looks).toBeGreaterThanOrEqual(10)
  expect(looks).toBeLessThanOrEqual(15)
  expect(bytes / frameBytes).toBeGreaterThan(110)
  expect(bytes / frameBytes).toBeLessThan(140)
})

const room = { along: 'x', share: 0.5 } as const

async function filmOf(name: FixtureName) {
  const file = await fixture(name)
  const { format } = await inspectFile(file, ffmpeg, never)
  const models: Models = { has: () => true, run: async (name) => modelInterfaces[name].output.parse([]) }
  return { tracks: await readTracks({ path: file, format }, ffmpeg, never), models, ffmpeg }
}

/** Where the path is at a moment. */
function placeAt(path: readonly CropPoint[] = [], seconds: number): number | undefined {
  return path.findLast((point) => point.seconds <= seconds)?.at
}

it('follows the lines of text that are shown, and jumps where all of them change', async () => {
  const film = await filmOf('shots.mp4')
  const line = (start: number, end: number, x: number, width = 0.3) => ({
    ...{ text: 'line', confidence: 0.9, start, end, box: { x, y: 0.1, width, height: 0.1 } },
  })
  const lines = [line(0, 6, 0), line(1, 6, 0.1), line(6, 12, 0.65), line(12, 13, 0, 0.9)]
  const asked: Segment[] = []
  const screenTexts = {
    get: async ({ window }: { readonly window: Segment }) => {
      asked.push(window)
      return { value: { lines, gapSeconds: 1, framesRead: 1, decodeErrors: 0 }, analysis: 'reused' as const }
    },
  }
  const follower = cropFollower({ ...film, screenTexts }, { subject: 'text', points: [] })
  const path = await follower?.find(room, [{ start: 2, end: 10 }], never)
  expect([placeAt(path, 5.99), placeAt(path, 6)]).toEqual([0, 1])
  const cutsText = async (start: number, end: number) =>
    (await follower?.find(room, [{ start, end }], never))?.some((point) => point.cutsText)
  expect([await cutsText(2, 10), await cutsText(8, 13)]).toEqual([false, true])
  asked.splice(1)
  // The film ends there.
  expect(asked).toEqual([{ start: 0, end: 14 }])
  const none = {
    get: async () => ({
      value: { lines: [], gapSeconds: 1, framesRead: 1, decodeErrors: 0 },
      analysis: 'reused' as const,
    }),
  }
  const nothing = cropFollower({ ...film, screenTexts: none }, { subject: 'text', points: [] })
  // Other shots have something that moves.
  expect(await nothing?.find(room, [{ start: 0.2, end: 1.5 }], never)).toEqual([])
})

/** Screen texts of these lines: start, end, x and width. */
function textsOf(...lines: readonly (readonly [number, number, number, number])[]) {
  const shown = lines.map(([start, end, x, width]) => ({
    ...{ text: 'line', confidence: 0.9, start, end, box: { x, y: 0.1, width, height: 0.1 } },
  }))
  const value = { lines: shown, gapSeconds: 1, framesRead: 1, decodeErrors: 0 }
  return { get: async () => ({ value, analysis: 'reused' as const }) }
}

/** The film of shots with a face at the right in its fifth shot alone, from 8 to 10 seconds. */
async function shotsWithFace() {
  const film = await filmOf('shots.mp4')
  const run: Models['run'] = async (name, input) => {
    const [red = 0, green = 0, blue = 0] = 'rgb' in input ? input.rgb : []
    const isShown = Math.abs(red - 0x30) + Math.abs(green - 0x50) + Math.abs(blue - 0x70) < 30
    return modelInterfaces[name].output.parse(isShown ? [{ x: 0.85, y: 0.2, width: 0.1, height: 0.1, score: 0.9 }] : [])
  }
  return { ...film, models: { ...film.models, run } }
}

it('follows faces where no text is shown, then what moves, and says of each moment what it followed', async () => {
  const film = { ...(await shotsWithFace()), screenTexts: textsOf([6, 8, 0, 0.2]) }
  const window = { start: 4.5, end: 10 }
  const path = (await cropFollower(film, { subject: 'text', points: [] })?.find(room, [window], never)) ?? []
  expect([placeAt(path, 7), placeAt(path, 9)]).toEqual([0, 1])
  // Noise moves everywhere.
  expect(stretchAlong(path, [window])).toEqual({ ...window, follows: ['text', 'faces', 'centre'], cutsText: false })
  const blurred = { start: 2.2, end: 3.8 }
  const moving = await cropFollower(film, { subject: 'text', points: [] })?.find(room, [blurred], never)
  expect(stretchAlong(moving ?? [], [blurred]).follows).toEqual(['motion'])
})

it('does not say that it follows faces of another shot, and follows nothing', async () => {
  const film = { ...(await shotsWithFace()), screenTexts: textsOf() }
  const follower = cropFollower(film, { subject: 'faces', points: [] })
  expect(await follower?.find(room, [{ start: 5, end: 7.5 }], never)).toEqual([])
})

it('says that the crop is held where only what is beside the piece is followed', async () => {
  const film = { ...(await filmOf('moving-box.mp4')), screenTexts: textsOf([0, 3, 0, 0.2]) }
  const models: Models = { ...film.models, has: (name) => name === 'read-text' }
  const window = { start: 4, end: 5.5 }
  const follower = cropFollower({ ...film, models }, { subject: 'text', points: [] })
  expect(stretchAlong((await follower?.find(room, [window], never)) ?? [], [window]).follows).toEqual(['held'])
})

it('warns of lines that are cut only where text is followed', async () => {
  const film = { ...(await filmOf('shots.mp4')), screenTexts: textsOf([0, 14, 0, 0.9]) }
  const window = { start: 2, end: 8 }
  const cutsText = async (end: number) => {
    const points = [{ start: 0, end, x: 0.5, y: 0.5 }]
    const path = await cropFollower(film, { subject: 'text', points })?.find(room, [window], never)
    return stretchAlong(path ?? [], [window]).cutsText
  }
  expect([await cutsText(5), await cutsText(20)]).toEqual([true, false])
})

it('does not follow what moves once, such as a slide that changes', async () => {
  const film = { ...(await filmOf('changing-slide.mp4')), screenTexts: textsOf() }
  const follower = cropFollower(film, { subject: 'motion', points: [] })
  expect(await follower?.find({ along: 'x', share: 0.3 }, [{ start: 0, end: 12 }], never)).toEqual([])
})

it('follows what moves before a still background', async () => {
  const film = await filmOf('moving-box.mp4')
  const screenTexts = { get: () => Promise.reject(new Error('no text is read')) }
  const path = await cropFollower({ ...film, screenTexts }, { subject: 'motion', points: [] })?.find(
    { along: 'x', share: 0.3 },
    [{ start: 0, end: 12 }],
    never,
  )
  expect(placeAt(path, 1)).toBeLessThan(0.2)
  expect(placeAt(path, 11)).toBeGreaterThan(0.8)
})
