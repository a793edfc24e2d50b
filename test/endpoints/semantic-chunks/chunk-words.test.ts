import { describe, expect, it } from 'vitest'
import { describeChunks as describeSentences } from '../../../src/endpoints/audio-semantic-chunks/chunk-words.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

/** Words in brackets are uncertain. */
const said = (sentence: string) =>
  sentence.split(' ').map((word) => ({ text: word.replace(/[[\]]/g, ''), isCertain: !word.startsWith('[') }))

const describeChunks = (chunks: readonly (readonly string[])[]) =>
  describeSentences(chunks.map((chunk) => chunk.map(said)))

const titlesOf = async (...chunks: readonly (readonly string[])[]) =>
  (await describeChunks(chunks)).map(({ title }) => title)

const bread = ['Well, we are going to bake now.', 'Knead the dough, and let the doughs rest.', 'The oven is hot.']
const storm = ['Now there is wind.', 'The storm brings rain, and more rain and wind.']

describe('keywords', () => {
  it('are what a chunk says and others do not, in any ending, without filling words', async () => {
    const [first, second] = await describeChunks([bread, storm])
    expect(first?.keywords[0]).toBe('dough')
    expect(first?.keywords).not.toContain('doughs')
    expect(second?.keywords.slice(0, 2).toSorted()).toEqual(['rain', 'wind'])
    for (const word of ['the', 'now', 'well', 'going']) expect(first?.keywords).not.toContain(word)
    expect(await describeChunks([['It is so.', 'Yes.'], []])).toEqual([
      { keywords: [], title: '' },
      { keywords: [], title: '' },
    ])
  })

  it('are at most eight', async () => {
    const [told] = await describeChunks([['Alpha beta gamma delta epsilon zeta omega sigma lambda kappa.']])
    expect(told?.keywords).toHaveLength(8)
  })
})

describe('titles', () => {
  it('are nouns with what describes them, rather than the sentence around them', async () => {
    const systems = [
      'So they are assigned by the regional internet registry, which gives you a number.',
      'You can ask the regional internet registry for one.',
    ]
    const transit = ['There is a cartel of providers.', 'And so the cartel of providers never has to pay.']
    expect(await titlesOf(systems, transit)).toEqual(['Regional internet registry', 'Cartel of providers'])
  })

  it.each([
    ['You are currently caller number', 'a number'],
    ['The bread is in the oven and', 'a function word'],
    ['It was going to be', 'an auxiliary verb'],
    ['That the reactor and the', 'a cut clause'],
  ])('are not %j, which ends in %s', async (broken) => {
    const [title = ''] = await titlesOf([broken])
    expect(title).not.toMatch(/^(?:you|it|that)\b|\b(?:number|the|and|to|be)$/i)
    expect(title.split(' ').length).toBeLessThan(4)
  })

  it('leave out words that could be of any talk', async () => {
    expect(await titlesOf(['We made a whole bunch of different wooden toys, and the wooden toys were nice.'])).toEqual([
      'Wooden toys',
    ])
    expect(await titlesOf(['I have a couple of things to say about that kind of stuff.'])).toEqual([''])
  })

  it('are whole: nothing that belongs to the nouns is cut off', async () => {
    expect(await titlesOf(["The earth's magnetic field turns it.", "It is the earth's magnetic field."])).toEqual([
      "Earth's magnetic field",
    ])
    expect(await titlesOf(['We met the ambassador of our embassy.'])).toEqual(['Embassy'])
    expect(await titlesOf(['A side-channel attack reads it.', 'That is a side-channel attack.'])).toEqual([
      'Side-channel attack',
    ])
  })

  it('take for a place what follows nouns, unless a verb needs it', async () => {
    const jails = 'There are jails in the kernel.'
    expect(await titlesOf([jails, jails])).toEqual(['Jails in the kernel'])
    const put = 'They put the jails in the kernel.'
    expect(await titlesOf([put, put])).toEqual(['Jails'])
  })

  it('are an action, a question or a short sentence where that says more', async () => {
    expect(await titlesOf(['So we thought about storing the data in the packets.'])).toEqual([
      'Storing the data in the packets',
    ])
    expect(
      await titlesOf(['How do you become a provider?'], ['A provider is big.', 'We peer with a provider.']),
    ).toEqual(['How do you become a provider?', 'Provider'])
    expect(await titlesOf(['The referee showed a red card after a bad tackle.'])).toEqual([
      'The referee showed a red card after a bad tackle',
    ])
  })

  it('have the letters of names, and begin with a capital letter', async () => {
    expect(await titlesOf(['Press the iPhone charger.', 'An iPhone charger.'])).toEqual(['iPhone charger'])
    expect(await titlesOf(['Debian ports are unofficial.', 'We know the Debian ports.'])).toEqual(['Debian ports'])
  })

  it('are made of certain words alone, and no part of nouns that are uncertain', async () => {
    const text = 'We like the [copyleft] license terms and the export rules.'
    expect(await titlesOf([text, text])).toEqual(['Export rules'])
    expect(await titlesOf(['The copyleft [lysons] is strong.'])).toEqual([''])
  })

  it('say no word twice', async () => {
    const site = 'It is cactus colon cactus.'
    expect(await titlesOf([site, site])).not.toContain('Cactus colon cactus')
  })

  it('are certain words of any other language too, as they were said', async () => {
    const bread = 'Wir backen heute das frische Brot im Ofen.'
    const [title = ''] = await titlesOf([bread, bread])
    expect(title).toMatch(/^\p{Lu}/u)
    expect(bread.toLowerCase()).toContain(title.toLowerCase())
  })

  it('are short', async () => {
    const long = `The ${'green '.repeat(14)}forest and the ${'house '.repeat(14)}grew.`
    const [title = ''] = await titlesOf([long, 'There is a whale.'])
    expect(title).toBe('Whale')
  })

  it('are of one chunk each: the one that says it more', async () => {
    const license = 'The open license lets you.'
    const [first, second] = await titlesOf([license, 'A patent is bad.'], [license, license, 'The court ruled.'])
    expect(second).toBe('Open license')
    expect(first).not.toBe('Open license')
    expect(first).not.toBe('')
  })

  it('are found for the fortieth talk as for the first', async () => {
    for (let talk = 0; talk < 40; talk += 1) expect((await titlesOf(storm))[0]).toMatch(/\w/)
  })
})

it('one chunk of 250,000 different words is described in turns', async () => {
  const letters = (index: number) =>
    [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  const words = Array.from({ length: 250_000 }, (_, index) => `${letters(index).join('')}zq`)
  const sentences = Array.from({ length: 10_000 }, (_, index) =>
    said(`${words.slice(index * 25, (index + 1) * 25).join(' ')}.`),
  )
  await describeChunks([storm])
  expect(await longestWork(() => describeSentences([sentences]))).toBeLessThan(tooLongMs)
})
