import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { type Segment, totalDuration } from '../../core/segments.ts'
import { type PieceStore, pieceName } from '../pieces/obtain-piece.ts'
import type { ClipInput } from './clip-tracks.ts'

/** A shorter clip takes longer in pieces, whose activities wait for slots and for each other. */
const minDividedSeconds = 120
/**
 * The shorter the pieces, the sooner the last of several workers ends. Many shorter ones would spend their time on their start: a
 * process, the source's description, the frames since a keyframe.
 */
const minPieceSeconds = 30
/** The last pieces are shorter, so that workers end soon after each other. In thirds of the others. */
const lastThirds = [2, 2, 2, 1, 1, 1]
/** Of the others, as long as the last pieces together. */
const replacedPieces = 3
/**
 * The most pieces of one clip. Each piece is an activity: it adds six events to the job's history, which has at most 50,000,
 * and occupies a task slot. 32 workers with four cores have 128 slots: with up to five audio tracks, all parts run
 * simultaneously. One part more would take as long again.
 */
const maxPieces = 123

/** How a long clip is divided. */
export interface Division {
  /** Video of any length is rendered in pieces of at least this length, but for the last ones. */
  readonly pieceSeconds?: number
  readonly store?: PieceStore | undefined
}

/** The lengths of a clip's pieces of video, in thirds of the longest. */
export function pieceThirds(ranges: readonly Segment[], pieceSeconds?: number): number[] {
  const seconds = totalDuration(ranges)
  if (pieceSeconds === undefined && seconds < minDividedSeconds) return equalThirds(1)
  const count = Math.max(1, Math.floor(seconds / (pieceSeconds ?? minPieceSeconds)))
  if (count <= replacedPieces) return equalThirds(count)
  return [...equalThirds(Math.min(count - replacedPieces, maxPieces - lastThirds.length)), ...lastThirds]
}

export function equalThirds(count: number): number[] {
  return Array.from({ length: count }, () => 3)
}

/** What `findOut` learns by reading the source. With a store, it reads only once for all parts and attempts of the job. */
export async function storeLayout<Layout>(
  { outputPath, store, signal }: ClipInput & Division,
  { decidedBy, schema }: { readonly decidedBy: unknown; readonly schema: z.ZodType<Layout> },
  findOut: () => Promise<Layout>,
): Promise<Layout> {
  if (!store) return findOut()
  const name = pieceName('layout', decidedBy, 'json')
  const file = path.join(path.dirname(outputPath), name)
  if ((await store.restore(name, file, signal)) !== undefined)
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  const layout = await findOut()
  await writeFile(file, JSON.stringify(layout))
  await store.save(name, { file, decodeErrors: 0 }, signal)
  return layout
}
