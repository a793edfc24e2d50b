import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Segment } from '../../core/segments.ts'
import { readFrames } from '../inspect/frame-window.ts'
import { type ClipInput, chooseClipTracks, emptyClipError } from './clip-tracks.ts'
import { clockOf, type JoinLayout, type JoinPlan, layOut, minPieceSeconds, pieceCount } from './join-plan.ts'
import { type PieceStore, pieceName } from './pieces.ts'
import { totalLength } from './video-pieces.ts'

const segment = z.object({ start: z.number(), end: z.number() })
const placedRange = z.object({
  requested: segment,
  startTick: z.number(),
  endTick: z.number(),
  atTick: z.number(),
  firstFrameTick: z.number().optional(),
  frames: z.number(),
})
const storedLayout = z.object({
  ranges: z.array(placedRange),
  leftOut: z.array(segment),
  pieces: z.array(z.object({ ranges: z.array(placedRange), lastSeconds: z.number(), endSeconds: z.number() })),
})

export interface JoinPlanInput extends ClipInput {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** Video is rendered in pieces of at least this length. */
  readonly pieceSeconds?: number
  /** Used by clips of several pieces. */
  readonly store?: PieceStore | undefined
}

/** Plans the clip. The layout of a clip of several pieces is stored: finding it reads all packets between its first and last range. */
export async function readJoinPlan(input: JoinPlanInput): Promise<JoinPlan> {
  const { tracks, ranges, format, audioOnly, quality, fadeSeconds, pieceSeconds = minPieceSeconds } = input
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const { video, audio } = chosen
  const lay = async () => {
    const frames = video ? await readFrames(tracks, video, window, input.ffmpeg, input.signal) : []
    return layOut(tracks, { ...chosen, ranges, frames, pieceSeconds })
  }
  const isStored = video !== null && pieceCount(ranges, pieceSeconds) > 1
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, video, audio, ranges, pieceSeconds]
  const layout = isStored ? await storeOnce(input, pieceName('layout', decidedBy, 'json'), lay) : await lay()
  if (layout.ranges.length === 0 || (layout.pieces.length === 0 && audio.length === 0))
    throw emptyClipError(tracks, video !== null)
  return {
    ...layout,
    video: layout.pieces.length > 0 ? video : null,
    ...{ audio, format, quality, fadeSeconds },
    requested: ranges,
    clock: clockOf(tracks, chosen),
    lengthTicks: totalLength(layout.ranges),
  }
}

async function storeOnce(
  { outputPath, store, signal }: JoinPlanInput,
  name: string,
  lay: () => Promise<JoinLayout>,
): Promise<JoinLayout> {
  const file = path.join(path.dirname(outputPath), name)
  if (await store?.restore(name, file, signal)) return storedLayout.parse(JSON.parse(await readFile(file, 'utf8')))
  const layout = await lay()
  if (!store) return layout
  await writeFile(file, JSON.stringify(layout))
  await store.save(name, file, signal)
  return layout
}
