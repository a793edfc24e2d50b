import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWordPieces } from '../../src/models/embed/minilm.ts'

const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'play',
  '##ing',
  '##ed',
  'cafe',
  'it',
  "'",
  's',
  '$',
  '5',
  '.',
  '##0',
  '日',
  '本',
]
const read = createWordPieces(vocabulary.join('\n'), 12)
const piecesOf = (text: string) => read(text).map((number) => vocabulary[number] ?? '')

describe('word pieces', () => {
  it.each([
    ['Playing played', ['play', '##ing', 'play', '##ed']],
    ['CAFÉ', ['cafe']],
    ["It's", ['it', "'", 's']],
    ['$5.50', ['$', '5', '.', '5', '##0']],
    ['日本', ['日', '本']],
    ['player', ['[UNK]']],
    ['it\u0000\u200b\tit', ['it', 'it']],
    [`${'p'.repeat(101)} it`, ['[UNK]', 'it']],
    ['', []],
    [' \n ', []],
  ])('of %j are %j', (text, pieces) => {
    expect(piecesOf(text)).toEqual(['[CLS]', ...pieces, '[SEP]'])
  })

  it('are at most as many as the model reads', () => {
    expect(piecesOf('playing '.repeat(20))).toEqual(['[CLS]', ...Array(5).fill(['play', '##ing']).flat(), '[SEP]'])
  })

  it('are of the vocabulary for any text, and the same for other case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const tokens = read(text)
        expect(tokens.length).toBeGreaterThanOrEqual(2)
        expect(tokens.length).toBeLessThanOrEqual(12)
        for (const token of tokens) expect(vocabulary[token]).toBeDefined()
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z .']*$/), (text) => {
        expect(read(text.toUpperCase())).toEqual(read(text))
      }),
    )
  })

  it('need a vocabulary with the marks of BERT', () => {
    expect(() => createWordPieces('play\n##ing', 12)).toThrow('the vocabulary has no [CLS]')
  })
})
