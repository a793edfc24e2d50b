import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Ffmpeg, FfmpegRun } from '../../../src/core/ffmpeg.ts'
import { makePiece, muxPieces, obtainAllPieces } from '../../../src/media/clip/video-pieces.ts'
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
  expect(runs.at(-1)?.deadlineSeconds).toBeGreaterThanOrEqual(3_600)
  expect(runs.at(-1)?.maxBytes).toBeGreaterThan(15e9)
})

it('a piece that only another version counted is left out', async () => {
  const { input, runs, clip } = largeClip()
  await expect(makePiece(input, clip, clip.audio.length)).resolves.toBeUndefined()
  expect(runs).toEqual([])
})

it('of many tracks of sound, two are made at a time', async () => {
  const { input, clip } = largeClip()
  const making = new Set<number>()
  let most = 0
  const audio = Array.from({ length: 8 }, (_, index) => ({
    fileName: `audio-${index}.m4a`,
    notesName: 'notes.json',
    seconds: 10,
    async make(_file: string, _signal: AbortSignal, onProgress: (seconds: number) => void) {
      making.add(index)
      most = Math.max(most, making.size)
      await setImmediate()
      onProgress(10)
      making.delete(index)
      return 1
    },
  }))
  writeFileSync(path.join(path.dirname(input.outputPath), 'notes.json'), JSON.stringify({ remarks: [] }))
  const progress: number[] = []
  const { decodeErrors } = await obtainAllPieces(input, { ...clip, audio, isLong: false }, (seconds) =>
    progress.push(seconds),
  )
  expect([most, decodeErrors, progress]).toEqual([2, 8, Array.from({ length: 8 }, (_, index) => (index + 1) * 1.25)])
})
