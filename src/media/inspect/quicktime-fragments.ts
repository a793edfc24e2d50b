/**
 * Output options for fragments of QuickTime, each of which states its time, even if the stream starts late. `flags` are further
 * ones of `-movflags`.
 */
export function fragmentOptions(...flags: readonly string[]): readonly string[] {
  return [
    ...['-f', 'mov', '-movflags', ['empty_moov', 'frag_discont', ...flags].join('+')],
    // Either of them would move the first packet to 0.
    ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled'],
  ]
}

/** The sizes of a box's head and of the head of `tfdt`, up to its 64-bit time (ISO/IEC 14496-12, 4.2 and 8.8.12). */
export const boxHeadBytes = 8
const timeOffset = 8

/** The box that begins here, and how much of it must have arrived to read it: of media data only the head. */
export function boxIn(content: Buffer) {
  if (content.length < boxHeadBytes) return { name: '', boxBytes: 0, neededBytes: boxHeadBytes }
  const boxBytes = content.readUInt32BE(0)
  if (boxBytes < boxHeadBytes) throw new Error(`a box of ${boxBytes} bytes`)
  const name = content.toString('latin1', 4, boxHeadBytes)
  return { name, boxBytes, neededBytes: name === 'mdat' ? boxHeadBytes : boxBytes }
}

/** The time of a `moof` box, in the track's unit. */
export function timeOf(moof: Buffer): number {
  const at = moof.indexOf('tfdt', 0, 'latin1') + timeOffset
  return moof.readUInt32BE(at) * 2 ** 32 + moof.readUInt32BE(at + 4)
}
