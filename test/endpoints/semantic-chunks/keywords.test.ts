import { describe, expect, it } from 'vitest'
import { describeChunks } from '../../../src/endpoints/audio-semantic-chunks/topic-chunks.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const bread = ['Well, we are going to bake now.', 'Knead the dough, and let the doughs rest.', 'The oven is hot.']
const storm = ['Now there is wind.', 'The storm brings rain, and more rain and wind.']

describe('keywords', () => {
  it('are what a chunk says and others do not, in any ending, without filling words', async () => {
    const [first, second] = await describeChunks([bread, storm])
    expect(first?.keywords[0]).toBe('dough')
    expect(first?.keywords).not.toContain('doughs')
    expect(second?.keywords.slice(0, 2).toSorted()).toEqual(['rain', 'wind'])
    for (const word of ['the', 'now', 'well', 'going']) expect(first?.keywords).not.toContain(word)
    expect(await describeChunks([['It is so.', 'Yes.']])).toEqual([{ keywords: [], title: 'It is so' }])
  })

  it('are at most eight', async () => {
    const [told] = await describeChunks([['Alpha beta gamma delta epsilon zeta omega sigma lambda kappa.']])
    expect(told?.keywords).toHaveLength(8)
  })
})

describe('titles', () => {
  it('are the sentence that tells most', async () => {
    expect((await describeChunks([bread, storm])).map(({ title }) => title)).toEqual([
      'Knead the dough, and let the doughs rest',
      'The storm brings rain, and more rain and wind',
    ])
  })

  it('are short', async () => {
    const [told] = await describeChunks([[`Whales ${'swim through the cold ocean and '.repeat(9)}sing.`]])
    expect(told?.title.length).toBeLessThanOrEqual(71)
    expect(told?.title).toBe('Whales swim through the cold ocean and swim through the cold ocean')
    expect((await describeChunks([['x'.repeat(200)]]))[0]?.title).toBe('x'.repeat(70))
    expect(await describeChunks([[]])).toEqual([{ keywords: [], title: '' }])
  })

  it('ends a title that is too long at a clause, and prefers a sentence that fits', async () => {
    const long = 'Whales swim through the cold ocean for many months, because krill is plenty where the ice melts.'
    expect((await describeChunks([[long]]))[0]?.title).toBe('Whales swim through the cold ocean for many months')
    expect((await describeChunks([[long, 'Krill feeds whales.']]))[0]?.title).toBe('Krill feeds whales')
    expect((await describeChunks([[long, 'It is so.']]))[0]?.title).toBe(
      'Whales swim through the cold ocean for many months',
    )
  })
})

it('one chunk of 250,000 different words is described in turns', async () => {
  const letters = (index: number) =>
    [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  const words = Array.from({ length: 250_000 }, (_, index) => `${letters(index).join('')}zq`)
  const sentences = Array.from(
    { length: 10_000 },
    (_, index) => `${words.slice(index * 25, (index + 1) * 25).join(' ')}.`,
  )
  expect(await longestWork(() => describeChunks([sentences]))).toBeLessThan(tooLongMs)
})
