import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { modelSampleRate } from '../../src/models/models.ts'
import { type FinderTools, readSamples } from './finder-tools.ts'
import { recordingsOf } from './recordings.ts'

export interface SpokenFiller {
  readonly text: string
  readonly voice: string
  /** From its first sound to its last one. */
  readonly samples: Float32Array
}

/** As people say them, in phonemes of espeak-ng. */
const texts = {
  uh: '[[V]]',
  um: '[[Vm]]',
  er: '[[3:]]',
  erm: '[[3:m]]',
  mm: '[[m:m:m:]]',
  hmm: '[[hm:m]]',
  ah: '[[A:]]',
}

/** English, as two countries speak it, by the voices of five men and four women. */
const voices = ['en-us', 'gmw/en'].flatMap((accent) =>
  ['m1', 'm2', 'm3', 'm5', 'm7', 'f1', 'f2', 'f3', 'f4'].map((variant) => `${accent}+${variant}`),
)

/** Words a minute: fillers are drawn out. */
const rates = [80, 100, 130]
/** Of 0 to 99. */
const pitches = [25, 40, 55, 70]

/** Fillers in changing voices, lengths and pitches, as many as are asked for. */
export async function speakFillers(tools: FinderTools, count: number): Promise<SpokenFiller[]> {
  const [library = ''] = await recordingsOf('espeakng-loader', /\/libespeak-ng\.[^/]*$/, tools.workDir)
  const names = Object.entries(texts)
  const asked = Array.from({ length: count }, (_, at) => {
    const [text = '', phonemes = ''] = names[at % names.length] ?? []
    const [voice = '', rate, pitch] = [voices[at % voices.length], rates[at % rates.length], pitches[(at >> 1) % 4]]
    return { text, voice, spoken: [voice, rate, pitch, phonemes] }
  })
  const file = path.join(tools.workDir, 'fillers.wav')
  const speaking = promisify(execFile)('python3', [
    path.join(import.meta.dirname, 'speak.py'),
    path.dirname(library),
    file,
  ])
  speaking.child.stdin?.end(JSON.stringify(asked.map(({ spoken }) => spoken)))
  const spans = z.array(z.tuple([z.number(), z.number()])).parse(JSON.parse((await speaking).stdout))
  const all = await readSamples(tools, file)
  return asked.map(({ text, voice }, at) => {
    const [start, end] = spans[at] ?? [0, 0]
    const samples = all.subarray(Math.round(start * modelSampleRate), Math.round(end * modelSampleRate))
    return { text, voice, samples: withoutSilence(samples) }
  })
}

/** 10 ms. */
const cell = modelSampleRate / 100
/** Of the loudest cell. */
const silentShare = 0.03

function withoutSilence(samples: Float32Array): Float32Array {
  const levels = Array.from({ length: Math.floor(samples.length / cell) }, (_, at) =>
    rmsOf(samples.subarray(at * cell, (at + 1) * cell)),
  )
  const limit = Math.max(...levels) * silentShare
  const first = levels.findIndex((level) => level > limit)
  const last = levels.findLastIndex((level) => level > limit)
  return samples.slice(Math.max(0, first) * cell, (last + 1) * cell)
}

export function rmsOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length))
}
