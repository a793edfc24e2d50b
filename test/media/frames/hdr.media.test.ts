import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../src/core/picture.ts'
import { decodeChanges } from '../../../src/media/frames/find-frames.ts'
import { sampleFrames } from '../../../src/media/frames/sample-frames.ts'
import { writeStills } from '../../../src/media/frames/write-stills.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import { never, pictureOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

/** Black, the white of paper and a highlight are shown as such. */
function expectShownBars({ width, height, rgb }: Picture): void {
  const [black = -1, white = -1, highlight = -1] = [1 / 6, 3 / 6, 5 / 6].map(
    (across) => rgb[3 * (Math.floor(height / 2) * width + Math.floor(across * width)) + 1],
  )
  expect(black).toBeLessThanOrEqual(3)
  expect(white).toBeGreaterThanOrEqual(230)
  expect(highlight).toBeGreaterThan(white + 5)
}

describe.each(['hdr10.mp4', 'hlg.mp4'] as const)('pictures of %s', (name) => {
  const open = async () => {
    const tracks = await readTracks({ path: await fixture(name), format: 'mp4' }, ffmpeg, never)
    const { video } = tracks
    if (!video) throw new Error('no picture')
    return { tracks: { ...tracks, video }, video, ffmpeg, signal: never }
  }

  it('are stored as JPEGs', async () => {
    const file = path.join(temporaryFolder(), 'still.jpg')
    expect(await writeStills({ ...(await open()), seconds: 1, stills: [{ path: file }] })).toBe(true)
    expectShownBars(await pictureOf(file))
  })

  it('are looked at for the best frames', async () => {
    const sampling = { window: { start: 0, end: 1 }, everySeconds: 0.5, maxFrames: 2, maxPixels: 160 * 90 }
    const [frame] = await sampleFrames(await open(), { ...sampling, folder: path.join(temporaryFolder(), 'frames') })
    expectShownBars((await frame?.read()) ?? expect.fail('no frame'))
  })

  it('are read for text', async () => {
    const pictures: Picture[] = []
    const onFrame = async (picture: Picture) => void pictures.push(picture)
    await decodeChanges({ ...(await open()), window: { start: 0, end: 1 }, longestSide: 320, onFrame })
    expectShownBars(pictures[0] ?? expect.fail('no picture'))
  })
})
