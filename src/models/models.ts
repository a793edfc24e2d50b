import { z } from 'zod'
import { type Picture, picture } from '../core/picture.ts'
import { type Face, faces } from './find-faces/faces.ts'
import { type TextLine, textLines } from './read-text/text-lines.ts'
import { type SoundTags, soundTags } from './sound-tags/sound-tags.ts'
import { type SpokenWord, spokenWords } from './transcribe/spoken-words.ts'

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
