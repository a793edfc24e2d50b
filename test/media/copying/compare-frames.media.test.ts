import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { showsSameFrames } from '../../../src/media/copying/compare-frames.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const ticksPerSecond = 12_800

/** Four seconds of film at 25 frames a second, in groups of one second. */
async function made(name: string, filter: string): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=96x64:rate=25:duration=4,${filter}`, '-pix_fmt', 'yuv420p']
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '25', '-sc_threshold', '0']
  await promisify(execFile)(mediaTools.ffmpegPath, ['-v', 'error', ...picture, ...x264, file])
  return file
}

/** Compares the second and third seconds of a clip with those of a source. */
async function isSame(clip: string, source: string): Promise<boolean> {
  const tracks = await readTracks({ path: source, format: 'mp4' }, ffmpeg, never)
  const { video } = tracks
  if (!video) throw new Error('no picture')
  const group = (second: number) => ({
    pieceIndex: 0,
    source: { fromTick: second * ticksPerSecond, toTick: (second + 1) * ticksPerSecond },
    frames: Array.from({ length: 25 }, (_, index) => ({
      sourceTick: second * ticksPerSecond + index * 512,
      atSeconds: second + index / 25,
      pieceIndex: 0,
    })),
  })
  const clock = { originSeconds: 0, secondsPerTick: 1 / ticksPerSecond }
  const checked = { clip: { path: clip, format: 'mp4' } as const, video, pieces: [] }
  return showsSameFrames({ tracks, outputPath: clip, ffmpeg, signal: never }, { clock, video }, checked, [
    group(1),
    group(2),
  ])
}

it('frames beside a joint are the same only if every one is equal in every pixel', async () => {
  const film = await made('film.mp4', 'null')
  expect(await isSame(film, film)).toBe(true)
  const onePixel = "drawbox=x=40:y=20:w=2:h=2:color=black:t=fill:enable='eq(n,60)'"
  expect(await isSame(await made('pixel.mp4', onePixel), film)).toBe(false)
  expect(await isSame(await made('later.mp4', onePixel.replace('60', '90')), film)).toBe(true)
  expect(await isSame(await made('missing.mp4', "select='not(eq(n,40))'"), film)).toBe(false)
})
