import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { ShownRange } from '../../core/captions.ts'
import type { FfmpegInput, FfmpegPieces } from '../../core/ffmpeg.ts'
import { lowerBound } from '../../core/many-numbers.ts'
import { pointsIn } from '../../core/picture.ts'
import { type Segment, totalDuration } from '../../core/segments.ts'
import { type FrameGrid, frameToleranceSeconds, type PlacedRange } from '../../core/snap-ranges.ts'
import { seekOptions } from '../inspect/frame-window.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import {
  type ObtainedPiece,
  obtainPiece,
  obtainPieces,
  type Piece,
  type PieceStore,
  pieceName,
} from '../obtain-piece.ts'
import { burntLayers, decidedByLayers, layerInputs } from './burn-layers.ts'
import { type ClipInput, type ClipTracks, marksOf } from './clip-marks.ts'
import { muxOptions, pieceList } from './cut-arguments.ts'
import { encodingDeadline, largestPixels, maxOutputBytes, muxLimits } from './encode-limits.ts'
import { followedWindows, readCropPath, stretchAlong } from './followed-crop.ts'
import { type PieceEncoding, rangesSeekSeconds, videoPieceOptions } from './join-arguments.ts'
import { arrivalOptions } from './picture-filters.ts'
import type { CopiedFit } from './track-arguments.ts'
import { type MadeSound, notesOfPieces } from './uneven-sound.ts'

/** Consecutive ranges of a clip whose video is rendered by one ffmpeg. Pieces are joined by stream copy. */
export interface VideoPiece {
  readonly ranges: readonly PlacedRange[]
  /** When its last frame starts and stops being shown, in seconds from its start. */
  readonly lastSeconds: number
  readonly endSeconds: number
}

/**
 * Divides the ranges into at most as many pieces as there are `thirds`, of these lengths, and at the widest gaps, so that what is far apart
 * is not decoded from the first range to the last. Ranges are split at frames, and every piece contains a frame.
 */
export function divideVideo(
  ranges: readonly PlacedRange[],
  grid: FrameGrid,
  thirds: readonly number[],
  longestGroupSeconds = 0,
): VideoPiece[] {
  const lengthTicks = totalLength(ranges)
  const minGapTicks = Math.max(minGapSeconds, longestGroupSeconds) / grid.secondsPerTick
  const behindGap = rangesBehindGaps(ranges, minGapTicks, Math.max(0, maxPieces - thirds.length))
  const ends: number[] = []
  for (const each of thirds) ends.push((ends.at(-1) ?? 0) + each)
  const sum = ends.at(-1) ?? 1
  const gapTicks = ranges.flatMap(({ startTick, atTick }) => (behindGap.has(startTick) ? [atTick] : []))
  const bounds = ends
    .slice(0, -1)
    .map((end) => Math.ceil((end * lengthTicks) / sum))
    // A piece begins at the gap beside it: between them would be another, of a moment.
    .filter((bound) => gapTicks.every((gap) => Math.abs(gap - bound) >= lengthTicks / sum / 2))
  const pieceAt = (atTick: number) => lowerBound(bounds, (bound) => bound <= atTick)
  const pieces: PlacedRange[][] = []
  let [current, hasFrames] = [-1, true]
  for (const range of ranges.flatMap((each) => splitRange(each, grid, bounds))) {
    const isNext = pieceAt(range.atTick) > current || behindGap.has(range.startTick)
    const begins = hasFrames && range.frames > 0 && isNext
    const piece = pieces.at(-1)
    if (piece && !begins) piece.push(range)
    else {
      pieces.push([range])
      current = pieceAt(range.atTick)
      hasFrames = false
    }
    hasFrames ||= range.frames > 0
  }
  return pieces.map((piece) => singlePiece(piece, grid))
}

/** A shorter gap is decoded about as quickly as another ffmpeg opens the source and decodes from a keyframe. */
const minGapSeconds = 30

/** Where ranges behind the widest gaps start. Pieces begin at keyframes: a gap is wide if it is longer than the longest group of pictures. */
function rangesBehindGaps(ranges: readonly PlacedRange[], minGapTicks: number, maxGaps: number): ReadonlySet<number> {
  const gaps = ranges.flatMap(({ startTick }, at) => {
    const ticks = startTick - (ranges[at - 1]?.endTick ?? startTick)
    return ticks > minGapTicks ? [{ ticks, startTick }] : []
  })
  const widest = gaps.toSorted((one, other) => other.ticks - one.ticks).slice(0, maxGaps)
  return new Set(widest.map(({ startTick }) => startTick))
}

/** One piece of all these ranges, of which one shows a frame. */
export function singlePiece(ranges: readonly PlacedRange[], grid: FrameGrid): VideoPiece {
  return { ranges, ...lastFrameTimes(ranges, grid) }
}

export function totalLength(ranges: readonly PlacedRange[]): number {
  return ranges.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0)
}

/** Splits a range at the first frame at or after each bound. Bounds are ticks of the output, ascending. */
function splitRange(range: PlacedRange, grid: FrameGrid, bounds: readonly number[]): PlacedRange[] {
  const { startTick, endTick, atTick } = range
  const bound = bounds.find((tick) => tick > atTick && tick < atTick + endTick - startTick)
  if (bound === undefined) return [range]
  const { frameTicks } = grid
  const from = lowerBound(frameTicks, (tick) => tick < startTick)
  const to = lowerBound(frameTicks, (tick) => tick < endTick)
  const at = lowerBound(frameTicks, (tick) => tick < startTick + bound - atTick)
  const cut = frameTicks[at]
  if (cut === undefined || at >= to) return [range]
  const held = range.frames - (to - from)
  const left = { ...range, endTick: cut, frames: at - from + held }
  const right = { ...range, startTick: cut, atTick: atTick + cut - startTick, firstFrameTick: cut, frames: to - at }
  return [left, ...splitRange(right, grid, bounds)]
}

function lastFrameTimes(ranges: readonly PlacedRange[], { frameTicks, endTick, secondsPerTick }: FrameGrid) {
  const zero = ranges[0]?.atTick ?? 0
  const showing = ranges.findLast(({ frames }) => frames > 0)
  const lastTick = showing && frameTicks[lowerBound(frameTicks, (tick) => tick < showing.endTick) - 1]
  const ending = ranges.findLast(({ startTick }) => startTick < endTick)
  const at = (range: PlacedRange | undefined, tick: number) =>
    range ? (range.atTick - zero + Math.max(0, tick - range.startTick)) * secondsPerTick : 0
  return {
    lastSeconds: at(showing, lastTick ?? 0),
    endSeconds: at(ending, Math.min(ending?.endTick ?? 0, endTick)),
  }
}

interface PieceClock extends Pick<PieceEncoding, 'clock'> {
  readonly fit?: Pick<CopiedFit, 'accessTicks'>
}

/** Where decoding of a piece starts: beside copied packets exactly at a keyframe, so that nothing is decoded in vain. */
export function pieceSeekSeconds({ clock, fit }: PieceClock, { ranges }: VideoPiece): number {
  const tolerance = frameToleranceSeconds / clock.secondsPerTick
  const { startTick = 0, firstFrameTick = startTick } = ranges[0] ?? {}
  const latest = Math.min(startTick, firstFrameTick) + tolerance
  const accessTick = fit?.accessTicks[lowerBound(fit.accessTicks, (tick) => tick <= latest) - 1]
  if (accessTick === undefined) return rangesSeekSeconds(clock, ranges)
  return Math.max(0, accessTick * clock.secondsPerTick - clock.originSeconds + frameToleranceSeconds)
}

/** Renders a piece of video, with the settings of all pieces of its clip. */
export function videoPiece(
  { tracks, ffmpeg, follower }: Pick<ClipInput, 'tracks' | 'ffmpeg' | 'follower'>,
  encoding: PieceEncoding,
  video: SourceVideo,
  piece: VideoPiece,
): Piece {
  const { clock, picture, kept } = encoding
  // The path of a crop is known only once the piece is made.
  const startSeconds = (piece.ranges[0]?.atTick ?? 0) * clock.secondsPerTick
  const windows = piece.ranges.map(({ startTick, endTick }) => ({
    start: Math.max(0, startTick * clock.secondsPerTick - clock.originSeconds),
    end: endTick * clock.secondsPerTick - clock.originSeconds,
  }))
  const { captions, logo } = encoding
  const lastSeconds = startSeconds + piece.lastSeconds
  const burnt = burntLayers({ track: video, picture, captions, logo, startSeconds, lastSeconds })
  const decidedBy = [
    videoPieceOptions(encoding, video, piece, { path: [], burnt }),
    ...(picture?.follows ? [picture.follows] : []),
    // A point that is moved changes no other piece.
    ...pointsIn(picture && follower ? follower.points : [], followedWindows(windows)),
    ...(burnt ? decidedByLayers(burnt) : []),
  ]
  const inputs = [tracks.originSeconds, tracks.durationSeconds, ...decidedBy]
  const notesName = picture?.follows && picture.follows !== 'centre' ? pieceName('path', inputs, 'json') : undefined
  const seconds = totalLength(piece.ranges) * clock.secondsPerTick
  const seek = pieceSeekSeconds(encoding, piece)
  const readSeconds = (piece.ranges.at(-1)?.endTick ?? 0) * clock.secondsPerTick - clock.originSeconds - seek
  return {
    fileName: pieceName('video', inputs, kept.alpha ? 'mkv' : 'mp4'),
    notesName,
    seconds,
    make: async (output, signal, onProgress) => {
      const cropPath = await readCropPath({ follower }, { track: video, picture, windows }, signal)
      const { decodeErrors } = await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: encodingDeadline(readSeconds, video, picture) },
        // Copied packets keep the source's rotation, so encoded frames must stay unrotated beside them.
        inputOptions: [
          ...seekOptions(seek),
          ...arrivalOptions(video, kept),
          ...(encoding.fit ? ['-noautorotate'] : []),
        ],
        outputOptions: videoPieceOptions(encoding, video, piece, { path: cropPath, burnt }),
        moreInputs: layerInputs(burnt, encoding, signal),
        output,
        pixels: largestPixels(video, picture),
        maxBytes: maxOutputBytes(seconds, { video, audio: [], picture }),
        onProgress,
      })
      if (notesName !== undefined) {
        const notes = JSON.stringify(stretchAlong(cropPath, windows))
        await writeFile(path.join(path.dirname(output), notesName), notes)
      }
      return decodeErrors
    },
  }
}

/** A shorter clip takes longer in pieces, whose activities wait for slots and for each other. */
const minDividedSeconds = 120
/** A shorter clip whose crop follows something is divided nevertheless: a corrected crop makes only its own piece again. */
const followedPieceSeconds = 15
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
export function pieceThirds(
  ranges: readonly Segment[],
  { pieceSeconds, picture, follower }: Pick<Division & ClipInput, 'pieceSeconds' | 'picture' | 'follower'>,
): number[] {
  const seconds = totalDuration(ranges)
  if (pieceSeconds === undefined && seconds < minDividedSeconds) {
    const isFollowing = follower !== undefined && picture?.fit === 'crop' && picture.aspect !== 'source'
    return equalThirds(isFollowing ? Math.max(1, Math.floor(seconds / followedPieceSeconds)) : 1)
  }
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
  if ((await store.restore(name, file, signal)) !== undefined) {
    const { data } = schema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (data !== undefined) return data
  }
  const layout = await findOut()
  await writeFile(file, JSON.stringify(layout))
  await store.save(name, { file, decodeErrors: 0 }, signal)
  return layout
}

/**
 * The pieces of a clip. Audio tracks are whole, because an encoder starts and ends each of its files with silence. Without video, or
 * with one piece of it, the clip is quickly made.
 */
export interface ClipPieces {
  readonly tracks: ClipTracks
  readonly audio: readonly Piece[]
  readonly video: readonly Piece[]
  /** Whether other workers can make pieces too. A short clip has pieces where its ranges are far apart, which one worker makes. */
  readonly isLong: boolean
  /** What the clip shows of the source. */
  readonly shown: readonly ShownRange[]
}

export type PiecesInput = ClipInput &
  Division & {
    /** Pieces that are made simultaneously. */
    readonly concurrency?: number
  }

/** The seconds of each piece of a long clip, in the order of `makePiece`; none if the clip is made as quickly in one run. */
export function piecesOf(clip: ClipPieces): number[] {
  return clip.isLong ? inOrder(clip).map(({ seconds }) => seconds) : []
}

/** Makes one of the pieces that `piecesOf` counted, and stores it. Without such a piece, another version counted: the clip's run makes what is missing. */
export async function makePiece({ outputPath, store, ...input }: PiecesInput, clip: ClipPieces, index: number) {
  const piece = inOrder(clip)[index]
  if (!piece) return
  const onProgress = (seconds: number) => input.onProgress(seconds / (piece.seconds || 1))
  await obtainPiece({ folder: path.dirname(outputPath), store }, piece, input.signal, onProgress)
}

/** Audio first: of a long film, an audio track takes longer than any piece of its video. */
function inOrder({ audio, video }: ClipPieces): Piece[] {
  return [...audio, ...video]
}

/** Obtains all pieces and muxes the clip. */
export async function makeFromPieces(
  input: PiecesInput,
  clip: ClipPieces,
  onProgress: (seconds: number) => void,
): Promise<MadeSound> {
  const made = await obtainAllPieces(input, clip, onProgress)
  await muxPieces(input, clip)
  return made
}

/** A joined track takes the memory of two tools, of which the second one does not wait for it. */
const tracksAtOnce = 2

/** Makes or restores all pieces. */
export async function obtainAllPieces(
  input: PiecesInput,
  clip: ClipPieces,
  onProgress: (seconds: number) => void,
): Promise<MadeSound> {
  const { outputPath, concurrency = 1, signal } = input
  const { audio, video } = clip
  const folder = path.dirname(outputPath)
  const to = { folder, store: clip.isLong ? input.store : undefined }
  const hasVideo = video.length > 0
  const onSound = (seconds: number) => {
    if (!hasVideo) onProgress(seconds / audio.length)
  }
  const obtained = await runAllOrAbort(signal, [
    (either) => obtainPieces({ ...to, pieces: video, concurrency, signal: either, onProgress }),
    (either) => obtainPieces({ ...to, pieces: audio, concurrency: tracksAtOnce, signal: either, onProgress: onSound }),
  ])
  return {
    decodeErrors: obtained.flat().reduce((sum, each) => sum + each.decodeErrors, 0),
    ...(to.store && hasVideo ? { pieces: countReused(obtained[0] ?? []) } : {}),
    ...(await notesOfPieces(audio, folder)),
  }
}

function countReused(pieces: readonly ObtainedPiece[]) {
  const reused = pieces.filter(({ isReused }) => isReused).length
  return { rendered: pieces.length - reused, reused }
}

/** Puts the obtained pieces into one file. `listOptions` are of the list of the pieces of video. */
export async function muxPieces(
  clipInput: ClipInput,
  { tracks, video, audio, shown }: ClipPieces,
  listOptions: readonly string[] = [],
): Promise<void> {
  const { outputPath, format, ffmpeg, signal } = clipInput
  const folder = path.dirname(outputPath)
  const list: FfmpegPieces = { path: path.join(folder, 'pieces.txt'), format: 'pieces' }
  if (video.length > 0) await writeFile(list.path, pieceList(video))
  const files = audio.map(({ fileName }): FfmpegInput => ({ path: path.join(folder, fileName), format }))
  const [input, ...moreInputs] = video.length > 0 ? [list, ...files] : files
  if (!input) return
  const marks = await marksOf(clipInput, tracks, shown, 1 + moreInputs.length)
  const limits = await muxLimits([...video, ...audio].map(({ fileName }) => path.join(folder, fileName)))
  await ffmpeg.run({
    ...{ input, moreInputs: [...moreInputs, ...marks.inputs], signal, ...limits },
    cores: 1,
    inputOptions: ['-copyts', ...listOptions],
    outputOptions: [...muxOptions(format, tracks), ...marks.options],
    output: outputPath,
  })
}
