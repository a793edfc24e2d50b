import path from 'node:path'
import { expect, it } from 'vitest'
import { cutClip } from '../../../src/media/clip/cut.ts'
import { makePoster } from '../../../src/media/clip/poster.ts'
import { readPackets } from '../../../src/media/inspect/packets.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { framesOf, never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function posterOf(file: string, start: number, end: number, format: 'mp4' | 'wav' | 'webm' = 'mp4') {
  const { poster } = await cutClip({
    tracks: await readTracks({ path: file, format }, ffmpeg, never),
    ...plainClip(),
    ...{ window: { start, end }, format, outputPath: path.join(temporaryFolder(), `clip.${format}`), ffmpeg },
  })
  return poster
}

it('a clip has a JPEG of its middle, at its size', async () => {
  const file = await fixture('numbered.mp4')
  const poster = await posterOf(file, 1, 3)
  expect(poster).toMatchObject({ width: 160, height: 120 })
  const [picture] = await framesOf(poster?.path ?? '')
  const shown = (await framesOf(file)).filter(({ pts }) => pts > 1.95 && pts < 2.15)
  // A JPEG stores the full range of brightness.
  const luma = 16 + ((picture?.luma ?? 0) * 219) / 255
  expect(Math.min(...shown.map((frame) => Math.abs(frame.luma - luma)))).toBeLessThanOrEqual(4)
})

it('a clip has a keyframe there, so that no other frame is decoded for it', async () => {
  const keyframes: number[] = []
  const poster = await posterOf(await fixture('numbered.mp4'), 1, 3)
  const clip = { path: path.join(path.dirname(poster?.path ?? ''), 'clip.mp4'), format: 'mp4' as const }
  await readPackets({ input: clip, streamIndex: 0, ffmpeg, signal: never }, ({ pts, isKeyframe }) => {
    if (isKeyframe) keyframes.push(pts)
  })
  expect(keyframes).toHaveLength(3)
  expect(keyframes[1]).toBeGreaterThanOrEqual(0.999)
  expect(keyframes[1]).toBeLessThan(1.1)
})

it.each(['rotated.mp4', 'one-frame.mp4', 'odd.webm'] as const)('%s has one too', async (name) => {
  const poster = await posterOf(await fixture(name), 0, 0.04, name === 'odd.webm' ? 'webm' : 'mp4')
  expect(poster).toMatchObject(name === 'rotated.mp4' ? { width: 120, height: 160 } : { height: 120 })
})

it('sound has none', async () => {
  expect(await posterOf(speech, 1, 2, 'wav')).toBeNull()
})

function pictureWith(width: number, height: number) {
  return {
    streamIndex: 0,
    codec: 'h264',
    width,
    height,
    shown: { width, height },
    rotation: 0,
    colour: {},
    alpha: null,
  }
}

it('is at most 1280 wide, and the first frame where none follows the middle', async () => {
  const media = { path: film, format: 'mp4' as const }
  const made = { media, video: pictureWith(3840, 2160), ffmpeg, signal: never }
  const outputPath = path.join(temporaryFolder(), 'poster.jpg')
  expect(await makePoster({ ...made, atSeconds: 1, outputPath })).toMatchObject({ width: 1280, height: 720 })
  expect(await makePoster({ ...made, atSeconds: 60, outputPath })).toMatchObject({ width: 1280, height: 720 })
})

it('fails no clip where there is no frame', async () => {
  const outputPath = path.join(temporaryFolder(), 'poster.jpg')
  const media = { path: speech, format: 'wav' as const }
  const video = pictureWith(64, 64)
  expect(await makePoster({ media, video, atSeconds: 1, outputPath, ffmpeg, signal: never })).toBeNull()
})
