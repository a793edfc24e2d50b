import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRepeats } from '../../../src/endpoints/timeline-suggest-ranges/find-cuts.ts'

const said = (text: string) =>
  text.split(' ').map((word) => ({ word: word.replace(/[.,]/, ''), endsSentence: word.endsWith('.') }))
const without = async (text: string) => {
  const spans = await findRepeats(said(text))
  return text
    .split(' ')
    .filter((_, at) => !spans.some(({ first, end }) => at >= first && at < end))
    .join(' ')
}

it.each([
  ['the the cat', 'the cat'],
  ['the, the, the cat', 'the cat'],
  ['I want to I want to go', 'I want to go'],
  ['I I want I want to go', 'I want to go'],
  ['we had it all. we had it all before us', 'we had it all before us'],
  ['and I and I went', 'and I went'],
  ['what we what we need to do is to do is wait', 'what we need to do is wait'],
])('of "%s" the last one stays', async (text, left) => {
  expect(await without(text)).toBe(left)
})

it.each([
  'it is very very good',
  'dial five five five',
  'in 20 20 it was',
  'he had had enough',
  'again and again and again',
  'on we went, step by step by step',
  'I see it. I see it now',
  'it was the best of times it was the worst of times',
])('"%s" stays as it is', async (text) => {
  expect(await without(text)).toBe(text)
})

it('removes only what is said again right after, in order and without overlap', async () => {
  const texts = fc.array(fc.record({ word: fc.constantFrom('i', 'want', 'to', 'and'), endsSentence: fc.boolean() }))
  await fc.assert(
    fc.asyncProperty(texts, async (words) => {
      let before = 0
      for (const { first, end } of await findRepeats(words)) {
        expect(first).toBeGreaterThanOrEqual(before)
        const length = end - first
        const [earlier, later] = [words.slice(first, end), words.slice(end, end + length)]
        expect(earlier.map(({ word }) => word)).toEqual(later.map(({ word }) => word))
        before = end
      }
    }),
  )
})
