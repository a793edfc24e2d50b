import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { type ClipPieces, muxPieces, obtainAllPieces } from '../clip/clip-pieces.ts'
import { type Clip, readFinishedClip } from '../clip/finished-clip.ts'
import type { CopiedFit } from '../clip/track-arguments.ts'
import { videoPiece } from '../clip/video-piece.ts'
import { type Piece, pieceName } from '../pieces/obtain-piece.ts'
import {
  type AvcConfiguration,
  freeSetId,
  mergeAvcConfigurations,
  parseAvcConfiguration,
  writeAvcConfiguration,
} from './avc-configuration.ts'
import { copiedPiece } from './copied-piece.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { refuseChangedSets } from './inband-sets.ts'
import type { ModeInput } from './make-clip.ts'
import { readAvcBox, replaceAvcBox } from './sample-description.ts'
import { planSmart, type SmartPlan } from './smart-plan.ts'
import type { CopiedStretch } from './stretches.ts'
import { verifySmart } from './verify-smart.ts'

/**
 * Copies the packets between IDR pictures and encodes only the frames before and after them, exact to the frame. Checks the finished
 * file against the source. Throws `CopyRefusal` where that is not possible or not equal.
 */
export async function smartClip(input: ModeInput): Promise<Clip> {
  const { tracks, format, outputPath, loudnessLufs, ffmpeg, signal } = input
  const plan = await planSmart(input)
  const source = await sourceConfiguration(input, plan)
  await refuseChangedSets(input, plan, source)
  const clip = piecesOfPlan(input, plan, fitTo(plan, source))
  const seconds = clip.video.reduce((sum, piece) => sum + piece.seconds, 0)
  // Most pieces are short: one starts while another ends.
  const concurrency = 2 * (input.concurrency ?? 1)
  const decodeErrors = await obtainAllPieces({ ...input, concurrency, store: undefined }, clip, (made) =>
    input.onProgress(Math.min(1, made / seconds)),
  )
  await shareParameterSets(path.dirname(outputPath), clip.video)
  const { rotation } = plan.video
  await muxPieces(input, clip, [
    '-auto_convert',
    '0',
    ...(rotation === 0 ? [] : ['-display_rotation', String(rotation)]),
  ])
  const finished = { tracks, plan: plan.describe, decodeErrors, loudnessLufs, ffmpeg }
  const [made] = await runBothOrAbort(
    signal,
    (either) => readFinishedClip({ path: outputPath, format }, { ...finished, signal: either }),
    (either) => verifySmart({ ...input, signal: either }, plan),
  )
  return made
}

function piecesOfPlan(input: ModeInput, plan: SmartPlan, fit: CopiedFit): ClipPieces {
  const { clock, video } = plan
  const encoding = { format: input.format, quality: input.quality, picture: null, captions: null, clock, fit }
  return {
    tracks: plan.tracks,
    audio: plan.audio,
    video: plan.pieces.map((piece) =>
      'copied' in piece
        ? copiedPiece(input, clock, video, piece.copied)
        : videoPiece(input, encoding, video, piece.encoded),
    ),
  }
}

/** The parameter sets of the source, from a copy of its first packet. */
async function sourceConfiguration(input: ModeInput, { clock, video, pieces }: SmartPlan): Promise<AvcConfiguration> {
  const { fromTick, range } = copiedIn(pieces)[0] ?? {}
  if (fromTick === undefined || !range) throw new CopyRefusal('nothing can be copied')
  const single = { range: { ...range, startTick: fromTick, endTick: fromTick + 1 }, fromTick, toTick: fromTick + 1 }
  const piece = copiedPiece(input, clock, video, single)
  const file = path.join(path.dirname(input.outputPath), pieceName('video', piece.fileName, 'mp4'))
  await piece.make(file, input.signal, () => {})
  return parseAvcConfiguration(await readAvcBox(file))
}

function copiedIn(pieces: SmartPlan['pieces']): CopiedStretch[] {
  return pieces.flatMap((piece) => ('copied' in piece ? [piece.copied] : []))
}

/** x264's names of the profiles whose streams it can continue. */
const profiles: Readonly<Record<number, string>> = { 66: 'baseline', 77: 'main', 100: 'high', 110: 'high10' }

/** Encodes with the source's profile and parameter sets with an id of their own. */
function fitTo({ pieces, packets, grid }: SmartPlan, source: AvcConfiguration): CopiedFit {
  const profile = profiles[source.profile]
  refuseUnless(profile !== undefined, 'the encoder has no matching profile for the picture')
  const starts = new Set(copiedIn(pieces).map(({ fromTick }) => fromTick))
  const delays = packets.flatMap(({ pts, dts }) => (starts.has(pts) && dts !== undefined ? [pts - dts] : []))
  return {
    delayTicks: Math.max(0, ...delays),
    idrTicks: grid.idrTicks,
    encoderOptions: ['-profile:v', profile, '-x264-params', `sps-id=${freeSetId(source)}`],
  }
}

/** Lists the parameter sets of all pieces in the first one, from which the clip takes them. */
async function shareParameterSets(folder: string, pieces: readonly Piece[]): Promise<void> {
  const files = pieces.map(({ fileName }) => path.join(folder, fileName))
  const [first] = files
  if (first === undefined) return
  const configurations: AvcConfiguration[] = []
  for (const file of files) configurations.push(parseAvcConfiguration(await readAvcBox(file)))
  const [own, ...others] = configurations
  if (own) await replaceAvcBox(first, writeAvcConfiguration(mergeAvcConfigurations(own, others)))
}
