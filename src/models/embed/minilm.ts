import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { normalForm } from '../../core/text.ts'
import type { LoadedModel } from '../models.ts'
import { floatsOf, loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'

/** Of its sentence_bert_config.json: the model was trained on no longer ones. */
const maxTokens = 256

/** Loads all-MiniLM-L6-v2, which embeds sentences: the more alike two are, the larger the product of their vectors. */
export async function loadMiniLm(folder: string): Promise<LoadedModel<readonly string[], Float32Array[]>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const session = await InferenceSession.create(path.join(folder, 'minilm.onnx'), sessionOptions)
  const readWordPieces = createWordPieces(await readFile(path.join(folder, 'vocabulary.txt'), 'utf8'), maxTokens)

  async function embed(sentence: string): Promise<Float32Array> {
    const tokens = readWordPieces(sentence)
    const integers = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
    const inputs = { input_ids: integers(tokens), position_ids: integers([...tokens.keys()]) }
    const values = floatsOf(await session.run(inputs), 'embedding')
    const length = Math.hypot(...values)
    return values.map((value) => value / length)
  }

  return {
    run: async (sentences) => {
      const vectors: Float32Array[] = []
      for (const sentence of sentences) vectors.push(await embed(sentence))
      return vectors
    },
    close: () => session.release(),
  }
}

/** Turns a text into the numbers of its tokens, which begin with `[CLS]` and end with `[SEP]`. */
export type ReadWordPieces = (text: string) => number[]

/** A longer word is unknown, as in BERT. */
const maxWordLength = 100

// What BERT takes for punctuation: all of ASCII that is neither letter nor digit, and Unicode's.
const punctuation = /[!-/:-@[-`{-~\p{P}]/u
/** The blocks whose characters BERT takes for words, because these scripts have no spaces. */
const ideograph =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B820}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/u
const word = new RegExp(`${ideograph.source}|${punctuation.source}|[^\\s${punctuation.source.slice(1, -1)}]+`, 'gu')

/**
 * The WordPiece tokenizer of uncased BERT models, with at most `maxTokens`. `vocabulary` has a piece a line; a piece that begins with
 * `##` continues a word. Devlin et al., https://github.com/google-research/bert/blob/master/tokenization.py
 */
export function createWordPieces(vocabulary: string, maxTokens: number): ReadWordPieces {
  const pieces = new Map(vocabulary.split('\n').map((piece, number) => [piece.trim(), number]))
  const numberOf = (piece: string) => {
    const number = pieces.get(piece)
    if (number === undefined) throw new Error(`the vocabulary has no ${piece}`)
    return number
  }
  const [first, last, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map(numberOf)
  if (first === undefined || last === undefined || unknown === undefined) throw new Error('no vocabulary')

  /** The longest pieces that make up the word, from its start; undefined if some of it has none. */
  function piecesOf(characters: readonly string[]): number[] | undefined {
    const found: number[] = []
    for (let start = 0; start < characters.length; ) {
      const mark = start > 0 ? '##' : ''
      let end = characters.length
      while (end > start && !pieces.has(mark + characters.slice(start, end).join(''))) end -= 1
      if (end === start) return undefined
      found.push(numberOf(mark + characters.slice(start, end).join('')))
      start = end
    }
    return found
  }

  return (text) => {
    const tokens = [first]
    for (const found of wordsAndMarks(text)) {
      if (tokens.length >= maxTokens - 1) break
      const characters = Array.from(found)
      tokens.push(...((characters.length <= maxWordLength ? piecesOf(characters) : undefined) ?? [unknown]))
    }
    return [...tokens.slice(0, maxTokens - 1), last]
  }
}

/** The words, and each mark of punctuation, in lower case and without accents. */
function wordsAndMarks(text: string): string[] {
  const clean = text.replaceAll(/[\t\n\r]/g, ' ').replaceAll(/[\p{C}\uFFFD]/gu, '')
  const spaced = clean.replaceAll(new RegExp(ideograph.source, 'gu'), ' $& ')
  const plain = normalForm(spaced.toLowerCase(), 'NFD').replaceAll(/\p{Mn}/gu, '')
  return plain.match(word) ?? []
}
