import type { ClipMarks } from '../clip/clip-marks.ts'
import { maxFramesOf } from '../inspect/frame-density.ts'
import { copyingDeadline, onlyPackets, readingOptions } from './copied-piece.ts'
import type { CopySpan } from './copy-bounds.ts'
import { type CopyPlan, segmentOf } from './copy-plan.ts'
import type { ModeInput } from './make-clip.ts'
import { smartCodecs } from './smart-codecs.ts'

interface CopiedFile {
  readonly muxer: readonly string[]
  readonly output: string
  readonly marks: ClipMarks
}

/** Copies a span into a file in which it starts at 0. */
export async function copySpan(
  { tracks: { input }, ffmpeg, signal }: ModeInput,
  { tracks: { video, audio }, clock, spans }: CopyPlan,
  span: CopySpan,
  { muxer, output, marks }: CopiedFile,
): Promise<void> {
  const { fromTick, toTick } = span
  const [from, to] = [fromTick * clock.secondsPerTick, toTick * clock.secondsPerTick]
  // What the source hides before its start gets times before 0, which the muxer hides too.
  const zeroTick = Math.max(fromTick, Math.min(toTick, Math.round(clock.originSeconds / clock.secondsPerTick)))
  const zero = zeroTick * clock.secondsPerTick
  const leading = `${onlyPackets(span)},setts=pts=PTS-${zeroTick}:dts=DTS-${zeroTick}${lastDurations(span)}`
  // Of other tracks, the packets that start within.
  const other = `noise=drop='lt(pts*tb,${from})+gte(pts*tb,${to})',setts=pts=PTS-round(${zero}/TB):dts=DTS-round(${zero}/TB)`
  await ffmpeg.run({
    ...{ input, moreInputs: marks.inputs, signal, deadlineSeconds: copyingDeadline(to - from), output },
    cores: 1,
    inputOptions: readingOptions(clock, span),
    outputOptions: [
      ...[...(video ? [video] : []), ...audio].flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`]),
      ...['-c', 'copy'],
      // One more than the clip may have, so that it is refused.
      ...(video ? ['-frames:v', String(maxFramesOf(spans.map((each) => segmentOf(each, clock))) + 1)] : []),
      ...(smartCodecs.get(video?.codec ?? '')?.muxer ?? []),
      ...(video ? ['-bsf:v', leading] : []),
      ...audio.flatMap((_, index) => [`-bsf:a:${index}`, video || index > 0 ? other : leading]),
      ...muxer,
      ...marks.options,
    ],
  })
}

/**
 * Makes the track as long as its span. MP4 stores how long it takes until the next packet is decoded, which differs from how long a
 * packet is shown. Players take the end of the last packet that is shown for the track's, or the end of the last that is decoded.
 */
function lastDurations({ toTick, last }: CopySpan): string {
  if (!last) return ''
  const { shownTick, decodedTick } = last
  const decoded = `max(1,${toTick}-STARTPTS-DTS+STARTDTS)`
  return `:duration='if(eq(PTS,${decodedTick}),${decoded},if(eq(PTS,${shownTick}),${toTick - shownTick},DURATION))'`
}
