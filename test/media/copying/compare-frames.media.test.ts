import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { showsSameFrames } from '../../../src/media/copying/verify-smart.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const ticksPerSecond = 12_800

/** Four seconds of film at 25 frames a second, in groups of one second. */
async function made(name: string, filter: string): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=96x64:rate=25:duration=4,${filter}`, '-pix_fmt', 'yuv420p']
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '25', '-sc_threshold', '0']
  await runFfmpeg(...picture, ...x264, file)
  return file
}

/** Compares the second and third seconds of a clip with those of a source, then decodes the fourth, which counts as encoded. */
async function isSame(clip: string, source: string): Promise<boolean> {
  const tracks = await readTracks({ path: source, format: 'mp4' }, ffmpeg, never)
  const { video } = tracks
  if (!video) throw new Error('no picture')
  const framesOf = (second: number) => ({ count: 25, firstSeconds: second, lastSeconds: second + 24 / 25 })
  const group = (second: number) => ({
    source: { fromTick: second * ticksPerSecond, toTick: (second + 1) * ticksPerSecond },
    ...framesOf(second),
  })
  const clock = { originSeconds: 0, secondsPerTick: 1 / ticksPerSecond }
  const checked = { clip: { path: clip, format: 'mp4' } as const, video }
  return showsSameFrames({ tracks, ffmpeg, signal: never }, { clock, video }, checked, [
    group(1),
    group(2),
    { source: null, ...framesOf(3) },
  ])
}

it('copied frames beside a joint are the same only if every one is equal in every pixel', async () => {
  const film = await made('film.mp4', 'null')
  expect(await isSame(film, film)).toBe(true)
  const onePixel = "drawbox=x=40:y=20:w=2:h=2:color=black:t=fill:enable='eq(n,60)'"
  expect(await isSame(await made('pixel.mp4', onePixel), film)).toBe(false)
  expect(await isSame(await made('missing.mp4', "select='not(eq(n,40))'"), film)).toBe(false)
})

it('encoded frames beside a joint may differ from the source, but the last of them must decode', async () => {
  const film = await made('film.mp4', 'null')
  const later = await made('later.mp4', "drawbox=x=40:y=20:w=2:h=2:color=black:t=fill:enable='eq(n,90)'")
  expect(await isSame(later, film)).toBe(true)
  const bytes = await readFile(later)
  // The last packet ends where the index begins.
  const end = bytes.lastIndexOf('moov') - 4
  await writeFile(later, bytes.fill(0, end - 400, end))
  await expect(isSame(later, film)).rejects.toThrow('could not be decoded')
})
