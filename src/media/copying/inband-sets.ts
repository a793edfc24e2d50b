import { readingOptions } from './copied-piece.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import { unitsIn } from './nal-units.ts'
import type { ParameterSets } from './smart-codecs.ts'
import type { SmartPlan } from './smart-plan.ts'

/** An hour with both sets at every keyframe takes 200 kB. */
const maxBytes = 8 * 2 ** 20

/**
 * Reads the parameter sets among the frames in and around the ranges. Throws `CopyRefusal` if one is not of the source's sample description:
 * where the sets change, decoding from a keyframe uses others than decoding from the start.
 */
export async function refuseChangedSets(
  { tracks, ffmpeg, signal }: ModeInput,
  { codec, video, clock, packets }: SmartPlan,
  { sets, nalLengthBytes }: ParameterSets,
): Promise<void> {
  const { pts } = packets
  const span = { fromTick: pts[0] ?? 0, toTick: (pts.at(-1) ?? 0) + 1 }
  const chunks: Buffer[] = []
  let bytes = 0
  await ffmpeg.run({
    ...{ input: tracks.input, signal, deadlineSeconds: 600, inputOptions: readingOptions(clock, span) },
    cores: 1,
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-c', 'copy'],
      ...['-bsf:v', `filter_units=pass_types=${codec.setUnits}`, '-f', 'data'],
    ],
    output: (chunk) => {
      bytes += chunk.length
      refuseUnless(bytes <= maxBytes, 'the picture has too many parameter sets')
      chunks.push(Buffer.from(chunk))
    },
  })
  const known = new Set(sets.map(contentOf))
  for (const unit of unitsIn(Buffer.concat(chunks), nalLengthBytes))
    refuseUnless(known.has(contentOf(unit)), 'the parameter sets of the picture change')
}

/** Zeros after a unit are no part of it (annex B). */
function contentOf(unit: Buffer): string {
  let end = unit.length
  while (unit[end - 1] === 0) end -= 1
  return unit.toString('latin1', 0, end)
}
