import { readFields, textsOf } from '../protobuf.ts'

// Numbers of fields in onnx.proto. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
const metadata = 14
const entry = { key: 1, value: 2 }

/**
 * The characters that a recogniser's outputs stand for, from the metadata of its file, which ONNX Runtime does not return. The first
 * output is the blank, and the last one the space.
 */
export function readCharacters(onnx: Buffer): string[] {
  const entries = readFields(onnx)
    .filter(({ number }) => number === metadata)
    .map(({ content }) => readFields(content))
  const found = entries.find((fields) => textsOf(fields, entry.key)[0] === 'character')
  const [listed] = found ? textsOf(found, entry.value) : []
  if (listed === undefined) throw new Error('the model does not name its characters')
  return ['', ...listed.replace(/\n$/, '').split('\n'), ' ']
}

/** What a recogniser read of a line. */
export interface ReadLine {
  readonly text: string
  /** The mean of its characters' probabilities; 0 without any. */
  readonly confidence: number
}

/**
 * Decodes the probabilities of a line, as many as there are characters at each step: the likeliest one of each step, without blanks
 * and repeats (connectionist temporal classification).
 */
export function decodeSteps(probabilities: Float32Array, characters: readonly string[]): ReadLine {
  const chosen: number[] = []
  let text = ''
  let last = 0
  for (let start = 0; start < probabilities.length; start += characters.length) {
    let best = 0
    for (let index = 1; index < characters.length; index += 1) {
      if ((probabilities[start + index] ?? 0) > (probabilities[start + best] ?? 0)) best = index
    }
    if (best !== 0 && best !== last) {
      text += characters[best] ?? ''
      chosen.push(probabilities[start + best] ?? 0)
    }
    last = best
  }
  const sum = chosen.reduce((total, probability) => total + probability, 0)
  return { text: text.trim(), confidence: chosen.length > 0 ? sum / chosen.length : 0 }
}
