import { hevcTag } from '../clip/encoders.ts'
import { freeSetId, mergeAvcConfigurations, parseAvcConfiguration, writeAvcConfiguration } from './avc-configuration.ts'
import { refuseUnless } from './copy-refusal.ts'
import {
  hasFields,
  hevcDepth,
  hevcLengthBytes,
  mergeHevcConfigurations,
  parseHevcConfiguration,
  writeHevcConfiguration,
} from './hevc-configuration.ts'
import { withOtherIds, withoutLink } from './hevc-sets.ts'
import { unitsWithLengths, withLength } from './nal-units.ts'
import { changeFirstSample, rewriteSamples } from './rewrite-samples.ts'
import { readSetsBox, type SetsBox, setsPath } from './sample-description.ts'

/** What a smart cut must know of a codec, to put copied packets and encoded frames into one track. */
export interface SmartCodec {
  readonly name: 'h264' | 'hevc'
  readonly box: SetsBox
  /** Types of network abstraction layer units, for ffmpeg's filter_units: of pictures at which decoding can start, and of parameter sets. */
  readonly accessUnits: string
  readonly setUnits: string
  /** Of an MP4 file with its packets. */
  readonly muxer: readonly string[]
  readonly parse: (box: Buffer) => ParameterSets
  /** Makes the encoder continue the source whose box this is. */
  readonly encoderOptions: (source: Buffer) => readonly string[]
  /** Gives the parameter sets of an encoded piece ids of their own, if its encoder cannot. */
  readonly renumber?: (file: string) => Promise<void>
  /**
   * Makes the packets of a file decodable behind others that they do not follow in the source. Throws `CopyRefusal` if that is not
   * possible.
   */
  readonly breakLink: (file: string) => Promise<void>
  /** All parameter sets of several files, in a box. Throws `CopyRefusal` if one track cannot hold them. */
  readonly merge: (boxes: readonly Buffer[]) => Buffer
}

export interface ParameterSets {
  readonly sets: readonly Buffer[]
  /** Of the length before each unit. */
  readonly nalLengthBytes: number
}

/** x264's names of the profiles whose streams it can continue. */
const avcProfiles: Readonly<Record<number, string>> = { 66: 'baseline', 77: 'main', 100: 'high', 110: 'high10' }

/** The unit of an IDR picture (ITU-T H.264, table 7-1): no later picture refers to an earlier one. */
const idr = 5

const h264: SmartCodec = {
  name: 'h264',
  box: { entry: 'avc1', name: 'avcC' },
  accessUnits: String(idr),
  setUnits: '7|8',
  muxer: [],
  parse: (box) => {
    const { sequenceSets, pictureSets, nalLengthBytes } = parseAvcConfiguration(box)
    return { sets: [...sequenceSets, ...pictureSets], nalLengthBytes }
  },
  encoderOptions: (source) => {
    const configuration = parseAvcConfiguration(source)
    const profile = avcProfiles[configuration.profile]
    refuseUnless(profile !== undefined, 'the encoder has no matching profile for the picture')
    return ['-profile:v', profile, '-x264-params', `sps-id=${freeSetId(configuration)}`]
  },
  // Behind other pictures, those after an I picture that is no IDR are decoded with wrong references, and shown among the earlier ones.
  breakLink: async (file) => {
    const { nalLengthBytes } = parseAvcConfiguration(await readSetsBox(file, h264.box))
    await changeFirstSample(file, (sample) => {
      const types = Array.from(unitsWithLengths(sample, nalLengthBytes), ([header = 0]) => header & 31)
      refuseUnless(types.includes(idr), 'a later range starts at a keyframe that does not begin a sequence')
    })
  },
  merge: (boxes) => writeAvcConfiguration(mergeAvcConfigurations(boxes.map(parseAvcConfiguration))),
}

/** Ends a sequence (ITU-T H.265, table 7-1): a CRA picture after it is decoded as if it were the first, with other parameter sets. */
const endOfSequence = Buffer.from([0, 0, 0, 2, 36 << 1, 1])

const hevc: SmartCodec = {
  name: 'hevc',
  box: { entry: 'hvc1', name: 'hvcC' },
  // BLA, IDR and CRA pictures.
  accessUnits: '16-21',
  setUnits: '32-34',
  muxer: hevcTag,
  parse: parseHevcConfiguration,
  encoderOptions: (source) => {
    refuseUnless(!hasFields(source), 'the picture is interlaced')
    return ['-profile:v', hevcDepth(source) > 8 ? 'main10' : 'main']
  },
  renumber: (file) =>
    rewriteSamples(file, {
      sample: (sample, isLast) => {
        const units = Array.from(unitsWithLengths(sample, 4), withOtherIds)
        return Buffer.concat([...units.flatMap(withLength), ...(isLast ? [endOfSequence] : [])])
      },
      box: setsPath(hevc.box),
      contents: (box) => {
        const { sets, ...configuration } = parseHevcConfiguration(box)
        return writeHevcConfiguration({ ...configuration, sets: sets.map(withOtherIds) })
      },
    }),
  breakLink: async (file) => {
    const nalLengthBytes = hevcLengthBytes(await readSetsBox(file, hevc.box))
    await changeFirstSample(file, (sample) => {
      for (const unit of unitsWithLengths(sample, nalLengthBytes)) withoutLink(unit)
    })
  },
  merge: (boxes) => writeHevcConfiguration(mergeHevcConfigurations(boxes.map(parseHevcConfiguration))),
}

/** By ffmpeg's names. */
export const smartCodecs: ReadonlyMap<string, SmartCodec> = new Map([h264, hevc].map((codec) => [codec.name, codec]))
