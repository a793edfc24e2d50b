import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runBothOrAbort } from '../../core/abortable.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { clipCaptions } from '../clip/clip-captions.ts'
import type { ClipPlan } from '../clip/clip-receipt.ts'
import { type ClipTracks, chooseClipTracks } from '../clip/clip-tracks.ts'
import { containers } from '../clip/encoders.ts'
import { type Clip, posterBeside, readFinishedClip } from '../clip/finished-clip.ts'
import { pieceList } from '../clip/mux-arguments.ts'
import { makePoster, type Poster } from '../clip/poster.ts'
import type { TickClock } from '../clip/snap-ranges.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import { readCodedPackets } from './coded-packets.ts'
import { copyingDeadline, onlyPackets, readingOptions } from './copied-piece.ts'
import { type CopySpan, copyBounds, copyEdgesOf, mergeSpans, refuseLongLead } from './copy-bounds.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { assertCopyable } from './copyable-codecs.ts'
import type { ModeInput } from './make-clip.ts'
import { smartCodecs } from './smart-codecs.ts'

/** What is copied, counted in ticks of its leading track: the picture, or the first audio track. */
interface CopyPlan {
  readonly tracks: ClipTracks
  readonly clock: TickClock
  readonly spans: readonly CopySpan[]
}

/**
 * Copies the packets of the ranges, from the keyframe at or before the start of each. All that is stored is shown. Ranges that then
 * overlap become one. Throws `CopyRefusal` if the container cannot hold them.
 */
export async function copyClip(input: ModeInput): Promise<Clip> {
  const { tracks, format, outputPath, loudnessLufs, ffmpeg, signal } = input
  refuseUnless(loudnessLufs === null, 'another loudness needs encoded sound')
  const plan = await planCopy(input)
  const copied = (either: AbortSignal) => copyAll({ ...input, signal: either }, plan)
  // Simultaneous readers of a source on a server would fetch it twice.
  const [, poster] = tracks.input.served
    ? [await copied(signal)]
    : await runBothOrAbort(signal, copied, (either) => sourcePoster({ ...input, signal: either }, plan))
  const finished = { tracks, plan: describeCopy(input, plan), decodeErrors: 0, loudnessLufs, ffmpeg, signal }
  return readFinishedClip({ path: outputPath, format }, { ...finished, ...(poster === undefined ? {} : { poster }) })
}

async function copyAll(input: ModeInput, plan: CopyPlan): Promise<void> {
  const [only, second] = plan.spans
  if (!only) throw new CopyRefusal('there is no range')
  if (second) await copySpans(input, plan)
  else await copySpan(input, plan, only, containers[input.format].muxer, input.outputPath)
}

/** The poster: the middle of the middle span. It is read from the source, because the clip is still being written. */
async function sourcePoster(
  { tracks, outputPath, ffmpeg, signal }: ModeInput,
  { tracks: { video }, clock, spans }: CopyPlan,
): Promise<Poster | null> {
  const { fromTick, toTick } = spans[spans.length >> 1] ?? { fromTick: 0, toTick: 0 }
  if (!video) return null
  const toSeconds = (tick: number) => tick * clock.secondsPerTick - clock.originSeconds
  const startSeconds = Math.max(0, toSeconds(fromTick))
  const atSeconds = (startSeconds + Math.min(toSeconds(toTick), video.endSeconds)) / 2
  const outputFile = posterBeside(outputPath)
  return makePoster({ media: tracks.input, video, atSeconds, startSeconds, outputPath: outputFile, ffmpeg, signal })
}

async function planCopy(input: ModeInput): Promise<CopyPlan> {
  const { tracks, ranges, format, audioOnly } = input
  const window = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 }
  const chosen = chooseClipTracks(tracks, { window, format, audioOnly })
  const lead = chosen.video ?? chosen.audio[0]
  if (!lead) throw new CopyRefusal('the window shows nothing')
  assertCopyable(chosen, format)
  const clock = { originSeconds: tracks.originSeconds, secondsPerTick: ratio(lead.timeBase) }
  const toTick = (seconds: number) => Math.round((seconds + clock.originSeconds) / clock.secondsPerTick)
  const toleranceTicks = Math.floor(frameToleranceSeconds / clock.secondsPerTick)
  const read = async (start: number, end: number) =>
    copyEdgesOf(
      await readCodedPackets({
        ...{ input: tracks.input, ffmpeg: input.ffmpeg, signal: input.signal, streamIndex: lead.streamIndex },
        interval: {
          start: start + clock.originSeconds,
          end: end + clock.originSeconds,
          secondsPerTick: clock.secondsPerTick,
        },
      }),
    )
  // Of a single range, only its edges are read.
  const whole = ranges.length > 1 ? await read(window.start, window.end) : undefined
  const spans: CopySpan[] = []
  for (const { start, end } of ranges) {
    const [aroundStart, aroundEnd] = whole ? [whole, whole] : await Promise.all([read(start, start), read(end, end)])
    const span = copyBounds({ fromTick: toTick(start), toTick: toTick(end) }, aroundStart, aroundEnd, toleranceTicks)
    refuseLongLead(span, clock.secondsPerTick)
    spans.push(span)
  }
  return { tracks: chosen, clock, spans: mergeSpans(spans) }
}

/** Copies a span into a file in which it starts at 0. */
async function copySpan(
  { tracks: { input }, ffmpeg, signal }: ModeInput,
  { tracks: { video, audio }, clock }: CopyPlan,
  span: CopySpan,
  muxer: readonly string[],
  output: string,
): Promise<void> {
  const { fromTick, toTick } = span
  const [from, to] = [fromTick * clock.secondsPerTick, toTick * clock.secondsPerTick]
  const leading = `${onlyPackets(span)},setts=pts=PTS-${fromTick}:dts=DTS-${fromTick}${lastDurations(span)}`
  // Of other tracks, the packets that start within.
  const other = `noise=drop='lt(pts*tb,${from})+gte(pts*tb,${to})',setts=pts=PTS-round(${from}/TB):dts=DTS-round(${from}/TB)`
  await ffmpeg.run({
    ...{ input, signal, deadlineSeconds: copyingDeadline(to - from), output },
    inputOptions: readingOptions(clock, span),
    outputOptions: [
      ...[...(video ? [video] : []), ...audio].flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`]),
      ...['-map_chapters', '-1', '-c', 'copy'],
      ...(smartCodecs.get(video?.codec ?? '')?.muxer ?? []),
      ...(video ? ['-bsf:v', leading] : []),
      ...audio.flatMap((_, index) => [`-bsf:a:${index}`, video || index > 0 ? other : leading]),
      ...muxer,
    ],
  })
}

/**
 * Makes the track as long as its span. MP4 stores how long it takes until the next packet is decoded, which differs from how long a
 * packet is shown. Players take the end of the last packet that is shown for the track's, or the end of the last that is decoded.
 */
function lastDurations({ fromTick, toTick, last }: CopySpan): string {
  if (!last) return ''
  const { shownTick, decodedTick } = last
  const decoded = `max(1,${toTick - fromTick}-DTS+STARTDTS)`
  return `:duration='if(eq(PTS,${decodedTick}),${decoded},if(eq(PTS,${shownTick}),${toTick - shownTick},DURATION))'`
}

async function copySpans(input: ModeInput, plan: CopyPlan): Promise<void> {
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
    await copySpan(input, plan, span, muxer, file)
    if (index > 0) await smartCodecs.get(tracks.video?.codec ?? '')?.breakLink(file)
    input.onProgress((index + 1) / spans.length)
  }
  const list = path.join(folder, 'pieces.txt')
  await writeFile(list, pieceList(pieces))
  await ffmpeg.run({
    ...{ input: { path: list, format: 'pieces' }, signal, deadlineSeconds: 600, output: outputPath },
    inputOptions: ['-copyts', '-auto_convert', '0'],
    outputOptions: ['-map', '0', '-c', 'copy', ...containers[format].muxer],
  })
}

function describeCopy(input: ModeInput, { tracks, clock, spans }: CopyPlan): ClipPlan {
  const toSeconds = (tick: number) => tick * clock.secondsPerTick - clock.originSeconds
  const toSegment = (span: { readonly fromTick: number; readonly toTick: number }): Segment => ({
    start: toSeconds(span.fromTick),
    end: toSeconds(span.toTick),
  })
  let atSeconds = 0
  const placed = spans.map((span) => {
    const range = { requested: toSegment(span.requested), presented: toSegment(span), atSeconds }
    atSeconds += durationOf(range.presented)
    return range
  })
  const last = placed.at(-1)
  return {
    ...tracks,
    picture: null,
    captions: clipCaptions(input, placed),
    requested: input.ranges,
    leftOut: [],
    zeroSeconds: placed[0]?.presented.start ?? 0,
    endZeroSeconds: (last?.presented.end ?? 0) - atSeconds,
    plannedFrames: 0,
    mode: 'copy',
    framesCopied: 0,
    ...(placed.length > 1 ? { ranges: placed } : {}),
  }
}
