import { maxFramesOf } from '../inspect/frame-density.ts'
import { copyingDeadline, onlyPackets, readingOptions } from './copied-piece.ts'
import type { CopySpan } from './copy-bounds.ts'
import { type CopyPlan, segmentOf } from './copy-plan.ts'
import type { ModeInput } from './make-clip.ts'
import { smartCodecs } from './smart-codecs.ts'

/** Copies a span into a file in which it starts at 0. */
export async function copySpan(
  { tracks: { input }, ffmpeg, signal }: ModeInput,
  { tracks: { video, audio }, clock, spans }: CopyPlan,
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
