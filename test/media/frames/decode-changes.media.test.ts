import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeChanges, type ShownFrame } from '../../../src/media/frames/find-frames.ts'
import { sourceTracks } from '../../../src/media/inspect/tracks.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { film } from '../../fixtures/make.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const folder = temporaryFolder()

async function make(name: string, ...options: string[]): Promise<string> {
  const file = path.join(folder, name)
  await runFfmpeg(...options, file)
  return file
}

/** The changed frames of a window, each as its time and its first pixel's red. */
async function changesOf(file: string, window?: { start: number; end: number }, signal = never) {
  const info = await inspectFile(file, ffmpeg, never)
  const { video, ...tracks } = await sourceTracks(await fileSource(file), info.format, ffmpeg, never)
  if (!video) throw new Error('no video')
  const frames: ShownFrame[] = []
  await decodeChanges({
    ...{ tracks: { ...tracks, video }, longestSide: 960, ffmpeg, signal },
    window: window ?? { start: 0, end: info.durationSeconds },
    onFrame: async (frame) => void frames.push(frame),
  })
  return { frames, times: frames.map(({ seconds }) => seconds), reds: frames.map(({ rgb }) => rgb[0] ?? -1) }
}

/** Black until 3.1 s, then white until 8.9 s, then black until 12 s. */
const slides = [
  '-f',
  'lavfi',
  '-i',
  "color=black:s=320x240:r=10:d=12,geq=lum='if(between(T,3.05,8.95),235,16)':cb=128:cr=128",
]

describe('the changed frames of a film', () => {
  it('are those of a picture that stands still once, with the quarter second in which it changed', async () => {
    const { times, reds } = await changesOf(await make('slides.mp4', ...slides))
    expect(times).toEqual([0, 3.25, 9])
    expect(reds.map((red) => red > 128)).toEqual([false, true, false])
  })

  it('begin with what is shown when the window starts, and end with it', async () => {
    const file = await make('keyframes.mp4', ...slides, '-g', '20')
    const { times, reds } = await changesOf(file, { start: 6, end: 9.5 })
    expect(times).toEqual([6, 9])
    expect(reds.map((red) => red > 128)).toEqual([true, false])
    expect((await changesOf(file, { start: 4, end: 4.1 })).reds.map((red) => red > 128)).toEqual([true])
  })

  it('keep their times in film with few frames, and in film that starts late', async () => {
    const few = await make(
      'few.mkv',
      ...slides,
      '-vf',
      "select='eq(n,0)+eq(n,32)+eq(n,90)'",
      '-fps_mode',
      'passthrough',
    )
    expect((await changesOf(few)).times).toEqual([0, 3.25, 9])
    const late = await make('late.mkv', ...slides, '-output_ts_offset', '5')
    expect((await changesOf(late, { start: 2, end: 12 })).times).toEqual([2, 3.25, 9])
  })

  it('are four a second of a picture that moves, scaled down', async () => {
    const { frames, times } = await changesOf(await make('moves.mp4', '-i', film, '-an', '-c', 'copy', '-t', '2'))
    expect(times).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75])
    for (const { width, height, rgb } of frames) expect([width, height, rgb.length]).toEqual([960, 544, 960 * 544 * 3])
  })

  it('end when they are canceled', async () => {
    const stop = new AbortController()
    const long = await make('long.mp4', '-stream_loop', '9', '-i', film, '-an', '-c', 'copy')
    setTimeout(() => stop.abort(new Error('canceled')), 50)
    await expect(changesOf(long, undefined, stop.signal)).rejects.toThrow('canceled')
  })
})
