import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { durationOf, type Segment } from '../../src/core/segments.ts'
import { audioEncoder, videoEncoder } from '../../src/media/clip/encoders.ts'
import { joinRanges } from '../../src/media/clip/join.ts'
import { leadBudget } from '../../src/media/clip/lead-budget.ts'
import { nothingKept } from '../../src/media/clip/picture-filters.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { EngineBench } from './engine.ts'

export interface Joined {
  readonly height: number
  readonly ranges: number
  readonly outputSeconds: number
  readonly joinedMs: number
  readonly bareMs: number
  readonly driftMs: number
  /** The duration of one frame of the film. */
  readonly frameMs: number
}

const quality = 'balanced'

/** Joins the ranges into one clip, beside a bare encode of the same length with the same encoders and settings. */
export async function measureJoined(
  { ffmpeg, ffmpegPath, cores }: EngineBench,
  file: string,
  ranges: readonly Segment[],
): Promise<Joined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-joined-'))
  const { signal } = new AbortController()
  try {
    const tracks = await readTracks((await fileSource(file)).input('mp4'), ffmpeg, signal)
    const [audio] = tracks.audio
    const { video } = tracks
    if (!audio || !video) throw new Error('the film needs a picture and a sound')
    const outputSeconds = ranges.reduce((sum, range) => sum + durationOf(range), 0)
    const bareStart = performance.now()
    await promisify(execFile)(ffmpegPath, [
      ...['-nostdin', '-v', 'error', '-y', '-threads', '2', '-i', file, '-t', String(outputSeconds)],
      ...['-map', '0:v:0', '-map', '0:a:0', '-pix_fmt', 'yuv420p'],
      ...[...videoEncoder('h264', quality, false, nothingKept), ...audioEncoder('aac', audio, 0, quality)],
      ...['-movflags', '+faststart', path.join(folder, 'bare.mp4')],
    ])
    const bareMs = performance.now() - bareStart
    const start = performance.now()
    const clip = await joinRanges({
      ...{
        tracks,
        ranges,
        format: 'mp4',
        quality,
        audioOnly: false,
        leadBudget: leadBudget(0),
        fadeSeconds: 0.005,
        loudnessLufs: null,
        ffmpeg,
        signal,
      },
      ...{
        outputPath: path.join(folder, 'clip.mp4'),
        concurrency: Math.max(1, Math.floor(cores / 2)),
        onProgress: () => {},
      },
    })
    const joinedMs = performance.now() - start
    const frameMs = 1000 / video.frameRate
    const driftMs = Math.abs(clip.receipt.driftSeconds) * 1000
    return { height: video.height, ranges: ranges.length, outputSeconds, joinedMs, bareMs, driftMs, frameMs }
  } finally {
    await rm(folder, { recursive: true })
  }
}
