import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Ffmpeg, FfmpegRun } from '../../../src/core/ffmpeg.ts'
import { makePiece, muxPieces } from '../../../src/media/clip/video-pieces.ts'
import { plainClip } from '../../setup/plain-clip.ts'

/** A clip of sound in one piece of 15 GB, which takes no space, and the runs of ffmpeg on it. */
function largeClip() {
  const folder = mkdtempSync(path.join(tmpdir(), 'pieces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const piece = { fileName: 'audio.m4a', seconds: 10, make: async () => 0 }
  writeFileSync(path.join(folder, piece.fileName), '')
  truncateSync(path.join(folder, piece.fileName), 15e9)
  const runs: FfmpegRun[] = []
  const ffmpeg: Ffmpeg = {
    maxPixels: 1,
    async run(job) {
      runs.push(job)
      return { decodeErrors: 0 }
    },
    probe: async () => {},
  }
  const source = { path: path.join(folder, 'source'), format: 'mp4' } as const
  const about = {
    durationSeconds: 10,
    originSeconds: 0,
    video: null,
    audio: [],
    unreadAudioTracks: 0,
    start: {},
    chapters: 0,
    others: [],
    attachments: [],
  }
  const tracks = { ...about, input: source }
  const input = { ...plainClip(), tracks, format: 'm4a', outputPath: path.join(folder, 'clip'), ffmpeg } as const
  return {
    input,
    runs,
    clip: { tracks: { video: null, audio: [] }, audio: [piece], video: [], isLong: true, shown: [] },
  }
}

it('a clip of 15 GB may take an hour to mux, and is not cut off', async () => {
  const { input, runs, clip } = largeClip()
  await muxPieces(input, clip)
  expect(runs[0]?.deadlineSeconds).toBeGreaterThanOrEqual(3_600)
  expect(runs[0]?.maxBytes).toBeGreaterThan(15e9)
})

it('a piece that only another version counted is left out', async () => {
  const { input, runs, clip } = largeClip()
  await expect(makePiece(input, clip, clip.audio.length)).resolves.toBeUndefined()
  expect(runs).toEqual([])
})
