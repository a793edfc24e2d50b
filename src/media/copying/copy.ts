import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import { type ClipMarks, marksOf, noMarks } from '../clip/clip-marks.ts'
import { type Clip, posterBeside, readFinishedClip } from '../clip/clip-receipt.ts'
import { pieceList } from '../clip/cut-arguments.ts'
import { muxLimits } from '../clip/encode-limits.ts'
import { containers } from '../clip/encoders.ts'
import { makePoster, type Poster } from '../clip/poster.ts'
import { assertFrameRate } from '../inspect/packets.ts'
import { canChange, refuseChangedSound } from '../inspect/tracks.ts'
import { type CopyPlan, describeCopy, placedSpans, planCopy, segmentOf } from './copy-plan.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { copyingDeadline, copySpan, readingOptions } from './copy-span.ts'
import type { ModeInput } from './make-clip.ts'
import { smartCodecs } from './smart-codecs.ts'

/**
 * Copies the packets of the ranges, from the keyframe at or before the start of each. All that is stored is shown. Ranges that then
 * overlap become one. Throws `CopyRefusal` if the container cannot hold them, and `ExceededLimit` if they are too many for their length.
 */
export async function copyClip(input: ModeInput): Promise<Clip> {
  const { tracks, format, outputPath, loudnessLufs, ffmpeg, signal } = input
  refuseUnless(loudnessLufs === null, 'another loudness needs encoded sound')
  const plan = await planCopy(input)
  await refuseChangingSound(input, plan)
  const copied = (either: AbortSignal) => copyAll({ ...input, signal: either }, plan)
  // Simultaneous readers of a source on a server would fetch it twice.
  const [, poster] = tracks.input.served
    ? [await copied(signal)]
    : await runBothOrAbort(signal, copied, (either) => sourcePoster({ ...input, signal: either }, plan))
  const finished = {
    tracks,
    plan: describeCopy(input, plan),
    decodeErrors: 0,
    remarks: [],
    loudnessLufs,
    ffmpeg,
    signal,
  }
  const clip = await readFinishedClip(
    { path: outputPath, format },
    { ...finished, ...(poster === undefined ? {} : { poster }) },
  )
  assertFrameRate(
    clip.receipt.framesCopied,
    plan.spans.map((span) => segmentOf(span, plan.clock)),
  )
  return clip
}

/** Players take the channels and the rate of a copied track from its first packets. */
async function refuseChangingSound(
  { tracks: { input }, ffmpeg, signal }: ModeInput,
  { tracks: { audio }, clock, spans }: CopyPlan,
): Promise<void> {
  const suspects = audio.filter((track) => canChange(track, input))
  if (suspects.length === 0) return
  const span = { fromTick: spans[0]?.fromTick ?? 0, toTick: spans.at(-1)?.toTick ?? 0 }
  const { start, end } = segmentOf(span, clock)
  const decode = {
    ...{ input, signal, deadlineSeconds: copyingDeadline(end - start), output: () => {} },
    inputOptions: [...readingOptions(clock, span), ...refuseChangedSound],
    outputOptions: [...suspects.flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`]), '-f', 'null'],
  }
  await ffmpeg.run(decode).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.code === 'processing_failed')) throw error
    throw new CopyRefusal('the sound changes its channels or its rate, or is damaged')
  })
}

async function copyAll(input: ModeInput, plan: CopyPlan): Promise<void> {
  const [only, second] = plan.spans
  if (!only) throw new CopyRefusal('there is no range')
  const marks = await marksOf(input, plan.tracks, placedSpans(plan), second && 1)
  if (second) await copySpans(input, plan, marks)
  else await copySpan(input, plan, only, { muxer: containers[input.format].muxer, output: input.outputPath, marks })
}

/** The poster: the middle of the middle span. It is read from the source, because the clip is still being written. */
async function sourcePoster(
  { tracks, outputPath, ffmpeg, signal }: ModeInput,
  { tracks: { video }, clock, spans }: CopyPlan,
): Promise<Poster | null> {
  const { start, end } = segmentOf(spans[spans.length >> 1] ?? { fromTick: 0, toTick: 0 }, clock)
  if (!video) return null
  const startSeconds = Math.max(0, start)
  const atSeconds = (startSeconds + Math.min(end, video.endSeconds)) / 2
  const outputFile = posterBeside(outputPath)
  return makePoster({ media: tracks.input, video, atSeconds, startSeconds, outputPath: outputFile, ffmpeg, signal })
}

async function copySpans(input: ModeInput, plan: CopyPlan, marks: ClipMarks): Promise<void> {
  const { outputPath, format, ffmpeg, signal } = input
  const { clock, spans, tracks } = plan
  const folder = path.dirname(outputPath)
  // MP4 holds no PCM.
  const isPcm = tracks.audio.some(({ codec }) => codec.startsWith('pcm'))
  const muxer = ['-write_tmcd', '0', '-f', isPcm ? 'mov' : 'mp4']
  const pieces = spans.map(({ fromTick, toTick }, index) => ({
    fileName: `${path.parse(outputPath).name}-copied-${index}.mp4`,
    seconds: (toTick - fromTick) * clock.secondsPerTick,
  }))
  for (const [index, span] of spans.entries()) {
    const file = path.join(folder, pieces[index]?.fileName ?? '')
    await copySpan(input, plan, span, { muxer, output: file, marks: noMarks })
    if (index > 0) await smartCodecs.get(tracks.video?.codec ?? '')?.breakLink(file)
    input.onProgress((index + 1) / spans.length)
  }
  const list = path.join(folder, 'pieces.txt')
  await writeFile(list, pieceList(pieces))
  const limits = await muxLimits(pieces.map(({ fileName }) => path.join(folder, fileName)))
  await ffmpeg.run({
    ...{ input: { path: list, format: 'pieces' }, moreInputs: marks.inputs, signal, ...limits, output: outputPath },
    cores: 1,
    inputOptions: ['-copyts', '-auto_convert', '0'],
    outputOptions: ['-map', '0', '-c', 'copy', ...containers[format].muxer, ...marks.options],
  })
}
