import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { durationOf, type Segment } from '../../src/core/segments.ts'
import { makePiece, piecesOf } from '../../src/media/clip/clip-pieces.ts'
import { type JoinInput, joinPieces, joinRanges } from '../../src/media/clip/join.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import type { PieceStore } from '../../src/media/pieces/obtain-piece.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { WorkRates } from './cluster.ts'
import type { EngineBench } from './engine.ts'

/** Short, so that the bench is. */
const pieceSeconds = 15

/** Makes a joined clip as parts do. Returns the seconds that each kind of work takes for a second of the clip. */
export async function measureWorkRates(
  { ffmpeg, cores }: EngineBench,
  file: string,
  ranges: readonly Segment[],
): Promise<WorkRates> {
  const root = await mkdtemp(path.join(tmpdir(), 'media-timeline-parts-'))
  const { signal } = new AbortController()
  const stored = path.join(root, 'stored')
  await mkdir(stored)
  const store: PieceStore = {
    restore: async (name, to) => {
      if (!existsSync(path.join(stored, name))) return false
      await copyFile(path.join(stored, name), to)
      return true
    },
    save: (name, from) => copyFile(from, path.join(stored, name)),
  }
  const clipSeconds = ranges.reduce((sum, range) => sum + durationOf(range), 0)
  let folders = 0
  /** As an activity on a worker of its own: with its own reading of the source. */
  const part = async <T>(work: (input: JoinInput) => Promise<T>) => {
    folders += 1
    const folder = path.join(root, String(folders))
    await mkdir(folder)
    const began = performance.now()
    const tracks = await readTracks((await fileSource(file)).input('mp4'), ffmpeg, signal)
    const made = await work({
      ...{ tracks, ranges, format: 'mp4', quality: 'balanced', audioOnly: false, fadeSeconds: 0.005, ffmpeg, signal },
      ...{ outputPath: path.join(folder, 'clip.mp4'), store, pieceSeconds, onProgress: () => {} },
    })
    return { made, seconds: (performance.now() - began) / 1000 }
  }
  try {
    const plan = await part(async (input) => piecesOf(await joinPieces(input)))
    const audio = await part(async (input) => makePiece(input, await joinPieces(input), 0))
    const began = performance.now()
    const pieces = [...plan.made.keys()].slice(1)
    const work = async (queue: Iterator<number>) => {
      for (let next = queue.next(); !next.done; next = queue.next())
        await part(async (input) => makePiece(input, await joinPieces(input), next.value))
    }
    // A piece on each core, although an encoder could use two.
    const queue = pieces.values()
    await Promise.all(Array.from({ length: cores }, () => work(queue)))
    const video = ((performance.now() - began) / 1000) * cores
    const assembly = await part(joinRanges)
    return {
      plan: plan.seconds / clipSeconds,
      audio: audio.seconds / clipSeconds,
      video: video / clipSeconds,
      assembly: assembly.seconds / clipSeconds,
    }
  } finally {
    await rm(root, { recursive: true })
  }
}
