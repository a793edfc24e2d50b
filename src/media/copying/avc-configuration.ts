import { CopyRefusal, refuseCut, refuseUnless } from './copy-refusal.ts'
import { damagedSets, distinctSets, readExpGolomb, tooManySets } from './nal-units.ts'

// The avcC box of MP4 (ISO/IEC 14496-15, 5.3.3.1) holds the parameter sets of an H.264 track. Packets refer to a set by its id, so
// a track can hold packets of two encoders if their ids differ.

export interface AvcConfiguration {
  readonly profile: number
  readonly compatibility: number
  readonly level: number
  readonly nalLengthBytes: number
  readonly sequenceSets: readonly Buffer[]
  readonly pictureSets: readonly Buffer[]
  /** Chroma format and bit depth, which higher profiles have. */
  readonly extension: Buffer
}

/** Throws `CopyRefusal` if the box is damaged or has no parameter sets. */
export function parseAvcConfiguration(box: Buffer): AvcConfiguration {
  return refuseCut(damagedSets, () => {
    refuseUnless(box.readUInt8(0) === 1, 'the parameter sets of the picture cannot be read')
    const sequence = readSets(box, 5, 0x1f)
    const picture = readSets(box, sequence.end, 0xff)
    refuseUnless(
      sequence.sets.length > 0 && picture.sets.length > 0,
      'the picture has its parameter sets among its frames',
    )
    return {
      profile: box.readUInt8(1),
      compatibility: box.readUInt8(2),
      level: box.readUInt8(3),
      nalLengthBytes: (box.readUInt8(4) & 3) + 1,
      sequenceSets: sequence.sets,
      pictureSets: picture.sets,
      extension: box.subarray(picture.end),
    }
  })
}

function readSets(box: Buffer, at: number, countMask: number): { readonly sets: Buffer[]; readonly end: number } {
  const sets: Buffer[] = []
  let end = at + 1
  for (let left = box.readUInt8(at) & countMask; left > 0; left--) {
    const length = box.readUInt16BE(end)
    refuseUnless(length > 1 && end + 2 + length <= box.length, damagedSets)
    sets.push(box.subarray(end + 2, end + 2 + length))
    end += 2 + length
  }
  return { sets, end }
}

export function writeAvcConfiguration(configuration: AvcConfiguration): Buffer {
  const { profile, compatibility, level, nalLengthBytes, sequenceSets, pictureSets, extension } = configuration
  const sized = (sets: readonly Buffer[]) =>
    sets.flatMap((set) => [Buffer.from([set.length >> 8, set.length & 0xff]), set])
  return Buffer.concat([
    Buffer.from([1, profile, compatibility, level, 0xfc | (nalLengthBytes - 1), 0xe0 | sequenceSets.length]),
    ...sized(sequenceSets),
    Buffer.from([pictureSets.length]),
    ...sized(pictureSets),
    extension,
  ])
}

/** The smallest id that no parameter set of the track has. */
export function freeSetId({ sequenceSets, pictureSets }: AvcConfiguration): number {
  const used = new Set([...sequenceSets.map((set) => sequenceId(set)), ...pictureSets.map((set) => pictureId(set))])
  const free = Array.from({ length: 32 }, (_, id) => id).find((id) => !used.has(id))
  refuseUnless(free !== undefined, 'the picture uses every id of parameter sets')
  return free
}

/** All parameter sets of several files. Throws `CopyRefusal` if two differ and have one id, or profiles differ. */
export function mergeAvcConfigurations(all: readonly AvcConfiguration[]): AvcConfiguration {
  const [first] = all
  if (!first) throw new CopyRefusal('nothing can be copied')
  refuseUnless(
    all.every(({ profile, nalLengthBytes }) => profile === first.profile && nalLengthBytes === first.nalLengthBytes),
    'the encoder has no matching profile for the picture',
  )
  const sequenceSets = distinctSets(
    all.flatMap((each) => each.sequenceSets),
    sequenceId,
  )
  const pictureSets = distinctSets(
    all.flatMap((each) => each.pictureSets),
    pictureId,
  )
  refuseUnless(sequenceSets.length <= 31 && pictureSets.length <= 255, tooManySets)
  return {
    ...first,
    compatibility: all.reduce((bits, { compatibility }) => bits & compatibility, 0xff),
    level: Math.max(...all.map(({ level }) => level)),
    sequenceSets,
    pictureSets,
  }
}

/** After the unit's header, profile, constraints and level (ITU-T H.264, 7.3.2.1.1). */
function sequenceId(set: Buffer): number {
  return readExpGolomb(set.subarray(4, 7))
}

/** After the unit's header (7.3.2.2). */
function pictureId(set: Buffer): number {
  return readExpGolomb(set.subarray(1, 4))
}
