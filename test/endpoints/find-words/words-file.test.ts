import { expect, it } from 'vitest'
import { readWordsFile, wordsFileParts } from '../../../src/endpoints/audio-find-words/words-file.ts'

const words = [{ text: 'so', start: 0.5, end: 0.8, confidence: 0.9, quietBefore: 0.4, quietAfter: null }]
const hesitations = [
  { start: 1, end: 1.4, quietBefore: 0.9, quietAfter: 1.5 },
  { start: 2, end: 2.3, quietBefore: null, quietAfter: null },
]
const read = (file: Parameters<typeof wordsFileParts>[0]) => readWordsFile([...wordsFileParts(file)].join(''))

it('words.json has the words and hesitations that later jobs cut by', async () => {
  const [{ confidence: _, ...word } = expect.fail()] = words
  expect(await read({ words, hesitations, mediaSeconds: 3 })).toEqual({ mediaSeconds: 3, words: [word], hesitations })
})

it('words.json of a transcript of an earlier version has no hesitations', async () => {
  expect((await read({ words, hesitations: undefined, mediaSeconds: 3 })).hesitations).toEqual([])
})
