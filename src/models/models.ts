import { z } from 'zod'
import { type Picture, picture } from '../core/picture.ts'

/** A face in a picture, whose width and height count as 1. A box reaches past the picture where the face does. */
const face = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** 0 to 1. */
  score: z.number(),
})

/** What a model for `find-faces` returns: boxes that hardly overlap, the surest first. */
export const faces = z.array(face)

export type Face = z.output<typeof face>

/** A part of a picture. Fractions of its width and height, from the top left corner, so that they hold at every size. */
export const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

export type Box = z.output<typeof box>

const textLine = z.object({
  text: z.string().min(1),
  box,
  /** 0 to 1. */
  confidence: z.number(),
})

export type TextLine = z.output<typeof textLine>

/** What a model for `read-text` returns: the lines of text in the picture, from the top to the bottom. */
const textLines = z.array(textLine)

/** A model for `sound-tags` judges windows of this length, one every hop. */
export const tagWindowSeconds = 0.975
export const tagHopSeconds = 0.24

export const laughterKinds = ['laughter', 'baby_laughter', 'giggle', 'snicker', 'belly_laugh', 'chuckle'] as const

const scores = z.instanceof(Float32Array)

/** What a model for `sound-tags` returns: for each kind of sound, its probability in each window, 0 to 1. */
const soundTags = z.object({
  laughter: scores,
  baby_laughter: scores,
  giggle: scores,
  snicker: scores,
  belly_laugh: scores,
  chuckle: scores,
})

export type SoundTags = z.output<typeof soundTags>

export const spokenWord = z.object({
  /** As written, with punctuation and case. */
  text: z.string(),
  /** Seconds from the start of the samples. */
  start: z.number(),
  end: z.number(),
  /** How sure the model is of the word, 0 to 1. Invented words can have a high one. */
  confidence: z.number(),
})

/** What a model for `transcribe` returns: words in the order of time. */
export const spokenWords = z.array(spokenWord)

export type SpokenWord = z.output<typeof spokenWord>

/** Mono, −1 to 1, at 16 kHz. */
export const modelSampleRate = 16_000

interface ModelInputs {
  'voice-activity': Float32Array
  'sound-tags': Float32Array
  transcribe: Float32Array
  /** Sentences. The model reads the first 200 words or so of each. */
  embed: readonly string[]
  'read-text': Picture
  'find-faces': Picture
}

interface ModelOutputs {
  /** Probability of speech in each whole frame of 32 ms, 0 to 1. */
  'voice-activity': Float32Array
  'sound-tags': SoundTags
  /** Times count from the start of the samples, of which there are at most 30 seconds. */
  transcribe: SpokenWord[]
  /** A vector of length 1 for each sentence. The product of two is the larger, the more alike the sentences are. */
  embed: Float32Array[]
  'read-text': TextLine[]
  'find-faces': Face[]
}

export type ModelName = keyof ModelInputs
export type ModelInput<Name extends ModelName> = ModelInputs[Name]
export type ModelOutput<Name extends ModelName> = ModelOutputs[Name]

type Interfaces = {
  readonly [Name in ModelName]: {
    readonly input: z.ZodType<ModelInput<Name>>
    readonly output: z.ZodType<ModelOutput<Name>>
  }
}

const floats = z.instanceof(Float32Array)

/**
 * Every model as a function of plain values. Its implementation is loaded by `load-model.ts`; another one for the same interface
 * replaces it there. Inputs and outputs travel between processes, so each is checked where it arrives.
 */
export const modelInterfaces: Interfaces = {
  'voice-activity': { input: floats, output: floats },
  'sound-tags': { input: floats, output: soundTags },
  transcribe: { input: floats, output: spokenWords },
  embed: { input: z.array(z.string()), output: z.array(floats) },
  'read-text': { input: picture, output: textLines },
  'find-faces': { input: picture, output: faces },
}

export const modelNames = Object.keys(modelInterfaces).filter(isModelName)

export function isModelName(value: string): value is ModelName {
  return Object.hasOwn(modelInterfaces, value)
}

/** A model in memory. */
export interface LoadedModel<Input, Output> {
  run(input: Input): Promise<Output>
  close(): Promise<void>
}

/** The installed models, as functions. */
export interface Models {
  has(name: ModelName): boolean
  /** Throws `endpoint_unavailable` if the model is not installed. */
  run<Name extends ModelName>(name: Name, input: ModelInput<Name>): Promise<ModelOutput<Name>>
}

/** A model for `voice-activity` judges whole frames of this many samples. */
export const speechFrameLength = 512
export const speechFrameSeconds = speechFrameLength / modelSampleRate
