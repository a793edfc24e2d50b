import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { createLimit } from '../../core/concurrency.ts'
import { type Clip, readFinishedClip } from '../clip/clip-receipt.ts'
import { takeLead } from '../clip/lead-budget.ts'
import { nothingKept } from '../clip/picture-filters.ts'
import { shownOfCut } from '../clip/read-cut-plan.ts'
import type { CopiedFit } from '../clip/track-arguments.ts'
import { type ClipPieces, muxPieces, obtainAllPieces, videoPiece } from '../clip/video-pieces.ts'
import { type Piece, pieceName } from '../obtain-piece.ts'
import type { CodedPackets } from './coded-packets.ts'
import { CopyRefusal } from './copy-refusal.ts'
import { copiedPiece, refuseChangedSets } from './copy-span.ts'
import type { ModeInput } from './make-clip.ts'
import { readSetsBox, replaceSetsBox } from './rewrite-samples.ts'
import { type CopiedStretch, planSmart, readRangePackets, type SmartPlan } from './smart-plan.ts'
import { verifySmart } from './verify-smart.ts'

/** An hour of film at 50 frames a second. Plans and checks of a million frames take 100 MB. */
const longFrames = 180_000
/** Long clips are made two at a time by all jobs of this process, which share its memory. */
const longClips = createLimit(2)

/**
 * Copies the packets between access points and encodes only the frames before and after them, exact to the frame. Checks the finished
 * file against the source. Throws `CopyRefusal` where that is not possible or not equal.
 */
export async function smartClip(input: ModeInput): Promise<Clip> {
  // Before all else, because simultaneous readers of a source on a server would fetch it twice.
  const packets = await readRangePackets(input)
  const make = () => copyBetweenEncoded(input, packets)
  return packets.pts.length > longFrames ? longClips(make, input.signal) : make()
}

async function copyBetweenEncoded(input: ModeInput, packets: CodedPackets): Promise<Clip> {
  const { tracks, format, outputPath, loudnessLufs, ffmpeg, signal } = input
  const plan = await planSmart(input, packets)
  const sourceBox = await readSourceBox(input, plan)
  await refuseChangedSets(input, plan, plan.codec.parse(sourceBox))
  // Only now: an exact clip instead takes it too.
  takeLead(input.leadBudget, plan.leadSeconds)
  const clip = piecesOfPlan(input, plan, fitTo(plan, sourceBox))
  const seconds = clip.video.reduce((sum, piece) => sum + piece.seconds, 0)
  // Most pieces are short: one starts while another ends.
  const concurrency = 2 * (input.concurrency ?? 1)
  const sound = await obtainAllPieces({ ...input, concurrency, store: undefined }, clip, (made) =>
    input.onProgress(Math.min(1, made / seconds)),
  )
  await shareParameterSets(path.dirname(outputPath), plan, clip.video)
  const { rotation } = plan.video
  await muxPieces(input, clip, [
    '-auto_convert',
    '0',
    ...(rotation === 0 ? [] : ['-display_rotation', String(rotation)]),
  ])
  const finished = { tracks, plan: plan.describe, ...sound, loudnessLufs, ffmpeg }
  const [made] = await runBothOrAbort(
    signal,
    (either) => readFinishedClip({ path: outputPath, format }, { ...finished, signal: either }),
    (either) => verifySmart({ ...input, signal: either }, plan),
  )
  return made
}

function piecesOfPlan(input: ModeInput, plan: SmartPlan, fit: CopiedFit): ClipPieces {
  const { clock, video } = plan
  const encoding = {
    format: input.format,
    quality: input.quality,
    picture: null,
    kept: nothingKept,
    captions: null,
    logo: null,
    clock,
    fit,
  }
  return {
    tracks: plan.tracks,
    audio: plan.audio,
    video: plan.pieces.map((piece) =>
      'copied' in piece ? copiedPiece(input, plan, piece.copied) : videoPiece(input, encoding, video, piece.encoded),
    ),
    isLong: false,
    shown:
      plan.describe.ranges ??
      input.ranges.flatMap((window) => shownOfCut({ window, zeroSeconds: plan.describe.zeroSeconds })),
  }
}

/** The box with the parameter sets of the source, from a copy of its first packet. */
async function readSourceBox(input: ModeInput, plan: SmartPlan): Promise<Buffer> {
  const { fromTick, range } = copiedIn(plan.pieces)[0] ?? {}
  if (fromTick === undefined || !range) throw new CopyRefusal('nothing can be copied')
  const single = { range: { ...range, startTick: fromTick, endTick: fromTick + 1 }, fromTick, toTick: fromTick + 1 }
  const piece = copiedPiece(input, plan, single)
  const file = path.join(path.dirname(input.outputPath), pieceName('video', piece.fileName, 'mp4'))
  await piece.make(file, input.signal, () => {})
  return readSetsBox(file, plan.codec.box)
}

function copiedIn(pieces: SmartPlan['pieces']): CopiedStretch[] {
  return pieces.flatMap((piece) => ('copied' in piece ? [piece.copied] : []))
}

/** Encodes as the source is encoded, with parameter sets that have ids of their own. */
function fitTo({ codec, grid, delayTicks }: SmartPlan, sourceBox: Buffer): CopiedFit {
  return {
    codec: codec.name,
    encoderOptions: codec.encoderOptions(sourceBox),
    delayTicks,
    accessTicks: grid.accessPoints.ticks,
  }
}

/** Lists the parameter sets of all pieces in the first one, from which the clip takes them. */
async function shareParameterSets(folder: string, { codec, pieces }: SmartPlan, made: readonly Piece[]): Promise<void> {
  const files = made.map(({ fileName }) => path.join(folder, fileName))
  const [first] = files
  if (first === undefined) return
  const boxes: Buffer[] = []
  for (const [index, file] of files.entries()) {
    if (codec.renumber && pieces[index] && 'encoded' in pieces[index]) await codec.renumber(file)
    boxes.push(await readSetsBox(file, codec.box))
  }
  await replaceSetsBox(first, codec.box, codec.merge(boxes))
}
