import type { Ffmpeg, FfmpegRun } from '../../core/ffmpeg.ts'
import { outputLines } from '../inspect/output-lines.ts'

/** A frame or a packet as ffmpeg's framehash muxer lists it. */
export interface FrameHash {
  /** In ticks of the stream. */
  readonly pts: number
  readonly hash: string
}

/** The lines of the framehash muxer: `stream, dts, pts, duration, size, hash`. */
const hashLine = /^\s*\d+,\s*-?\d+,\s*(-?\d+),\s*\d+,\s*\d+,\s*([0-9a-f]+)/

/** Runs ffmpeg, and passes on what its framehash muxer lists, one by one. Returns the number of decoding errors. */
export async function readFrameHashes(
  ffmpeg: Ffmpeg,
  { outputOptions, ...run }: Omit<FfmpegRun, 'output'>,
  onFrame: (frame: FrameHash) => void,
): Promise<number> {
  const { decodeErrors } = await ffmpeg.run({
    ...run,
    outputOptions: [...outputOptions, '-f', 'framehash', '-hash', 'murmur3'],
    output: outputLines((line) => {
      const [, pts, hash] = hashLine.exec(line) ?? []
      if (pts !== undefined && hash !== undefined) onFrame({ pts: Number(pts), hash })
    }),
  })
  return decodeErrors
}
