import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Segment } from '../../src/core/segments.ts'
import type { ClipReceipt, CutMode } from '../../src/media/clip/clip-receipt.ts'
import { leadBudget } from '../../src/media/clip/lead-budget.ts'
import { copyBudget } from '../../src/media/copying/copy-bounds.ts'
import { makeClip } from '../../src/media/copying/make-clip.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { EngineBench } from './engine.ts'
import { inTurns } from './in-turns.ts'

interface Timed {
  readonly milliseconds: number
  readonly receipt: ClipReceipt
}

export interface Modes {
  readonly window: {
    readonly exact: Timed
    readonly smart: Timed
    readonly copyMs: number
    readonly bareCopyMs: number
  }
  readonly joined: { readonly ranges: number; readonly exact: Timed; readonly smart: Timed; readonly frameMs: number }
}

const windowSeconds = 300
const copyRounds = 5

/** Cuts 300 seconds in each mode, copies them with bare ffmpeg, and joins the ranges exactly and smartly. */
export async function measureModes(
  { ffmpeg, ffmpegPath, cores }: EngineBench,
  file: string,
  ranges: readonly Segment[],
): Promise<Modes> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-modes-'))
  const { signal } = new AbortController()
  try {
    const tracks = await readTracks((await fileSource(file)).input('mp4'), ffmpeg, signal)
    // In the middle, between keyframes and between frames.
    const start = Math.round(tracks.durationSeconds / 2) - windowSeconds / 2 + 0.51
    const window: Segment = { start, end: start + windowSeconds }
    const make = async (mode: CutMode, kept: readonly Segment[]): Promise<Timed> => {
      const began = performance.now()
      const outputPath = path.join(await mkdtemp(path.join(folder, 'clip-')), 'clip.mp4')
      const { receipt } = await makeClip(mode, {
        ...{
          tracks,
          ranges: kept,
          format: 'mp4',
          quality: 'balanced',
          audioOnly: false,
          leadBudget: leadBudget(0),
          fadeSeconds: 0.005,
        },
        ...{ loudnessLufs: null, outputPath, concurrency: Math.max(1, Math.floor(cores / 2)) },
        ...{ copyBudget: copyBudget(tracks.durationSeconds * 1e9), ffmpeg, signal, onProgress: () => {} },
      })
      const milliseconds = performance.now() - began
      await rm(path.dirname(outputPath), { recursive: true })
      return { milliseconds, receipt }
    }
    const copies = await inTurns(copyRounds, {
      bare: () =>
        promisify(execFile)(ffmpegPath, [
          ...['-nostdin', '-v', 'error', '-y', '-ss', String(window.start), '-i', file],
          ...['-t', String(window.end - window.start), '-c', 'copy', '-movflags', '+faststart'],
          path.join(folder, 'bare.mp4'),
        ]),
      copy: () => make('copy', [window]),
    })
    const smart = await make('smart', [window])
    const exact = await make('exact', [window])
    return {
      window: { exact, smart, copyMs: copies.copy, bareCopyMs: copies.bare },
      joined: {
        ranges: ranges.length,
        smart: await make('smart', ranges),
        exact: await make('exact', ranges),
        frameMs: 1000 / (tracks.video?.frameRate ?? Number.NaN),
      },
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
