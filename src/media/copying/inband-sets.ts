import type { AvcConfiguration } from './avc-configuration.ts'
import { readingOptions } from './copied-piece.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import type { SmartPlan } from './smart-plan.ts'

/** An hour with both sets at every keyframe takes 200 kB. */
const maxBytes = 8 * 2 ** 20

/**
 * Reads the parameter sets among the frames in and around the ranges. Throws `CopyRefusal` if one is not of the source's avcC box:
 * where the sets change, decoding from a keyframe uses others than decoding from the start.
 */
export async function refuseChangedSets(
  { tracks, ffmpeg, signal }: ModeInput,
  { video, clock, packets }: SmartPlan,
  { sequenceSets, pictureSets, nalLengthBytes }: AvcConfiguration,
): Promise<void> {
  const times = packets.map(({ pts }) => pts)
  const span = { fromTick: times[0] ?? 0, toTick: (times.at(-1) ?? 0) + 1 }
  const chunks: Buffer[] = []
  let bytes = 0
  await ffmpeg.run({
    ...{ input: tracks.input, signal, deadlineSeconds: 600, inputOptions: readingOptions(clock, span) },
    // The types of sequence and picture parameter sets (ITU-T H.264, table 7-1).
    outputOptions: [
      '-map',
      `0:${video.streamIndex}`,
      '-c',
      'copy',
      '-bsf:v',
      'filter_units=pass_types=7|8',
      '-f',
      'data',
    ],
    output: (chunk) => {
      bytes += chunk.length
      refuseUnless(bytes <= maxBytes, 'the picture has too many parameter sets')
      chunks.push(Buffer.from(chunk))
    },
  })
  const known = new Set([...sequenceSets, ...pictureSets].map(contentOf))
  const isKnown = unitsIn(Buffer.concat(chunks), nalLengthBytes).every((unit) => known.has(contentOf(unit)))
  refuseUnless(isKnown, 'the parameter sets of the picture change')
}

/** Units after start codes (ITU-T H.264, annex B), or with their lengths before them (ISO/IEC 14496-15, 5.3.2). */
export function unitsIn(stream: Buffer, lengthBytes: number): Buffer[] {
  const first = stream.indexOf(startCode)
  // A unit of one byte, which a start code would be the length of, is no parameter set.
  return first >= 0 && first <= 1 ? unitsAfterStartCodes(stream) : unitsWithLengths(stream, lengthBytes)
}

const startCode = Buffer.from([0, 0, 1])

function unitsAfterStartCodes(stream: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = stream.indexOf(startCode); at >= 0; ) {
    const next = stream.indexOf(startCode, at + startCode.length)
    units.push(stream.subarray(at + startCode.length, next < 0 ? stream.length : next))
    at = next
  }
  return units
}

function unitsWithLengths(stream: Buffer, lengthBytes: number): Buffer[] {
  const units: Buffer[] = []
  for (let at = 0; at < stream.length; ) {
    refuseUnless(at + lengthBytes <= stream.length, 'the parameter sets of the picture are damaged')
    const start = at + lengthBytes
    at = start + stream.readUIntBE(at, lengthBytes)
    units.push(stream.subarray(start, at))
  }
  return units
}

/** Zeros after a unit are no part of it (annex B). */
function contentOf(unit: Buffer): string {
  let end = unit.length
  while (unit[end - 1] === 0) end -= 1
  return unit.toString('latin1', 0, end)
}
