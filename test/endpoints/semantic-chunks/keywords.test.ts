import { describe, expect, it } from 'vitest'
import { describeChunks as describeSentences } from '../../../src/endpoints/audio-semantic-chunks/topic-chunks.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

const describeChunks = (chunks: readonly (readonly string[])[]) =>
  describeSentences(chunks.map((chunk) => chunk.map((text) => ({ text, phrases: [text] }))))

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
  it.each([
    ['Because of inflation, bread prices doubled.', 'Because of inflation, bread prices doubled'],
    ['So that we can vaccinate children.', 'So that we can vaccinate children'],
    ['To open the door, we press the button.', 'To open the door, we press the button'],
    ['No, we never tested the reactor.', 'No, we never tested the reactor'],
    ['And so, we tested the reactor.', 'We tested the reactor'],
    ['So one of the reactors is new.', 'One of the reactors is new'],
    ['So now there is a new reactor.', 'There is a new reactor'],
    ['So now that the reactor is new, we test it.', 'Now that the reactor is new, we test it'],
    ['Yes, so in fact, the reactor is new.', 'The reactor is new'],
    ['So as to be sure, we tested it.', 'So as to be sure, we tested it'],
    ['Which reactor is new?', 'Which reactor is new?'],
  ])('of %j is %j', async (said, title) => {
    expect((await describeChunks([[said]])).map((chunk) => chunk.title)).toEqual([title])
  })

  it.each([
    'You will not be able to.',
    'That the reactor and the turbine',
    'Which is to test the turbine.',
    'There is a turbine and then,',
  ])('are another sentence than %j, which waits for more', async (broken) => {
    expect((await describeChunks([['We tested the reactor.', broken]]))[0]?.title).toBe('We tested the reactor')
  })

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
    expect((await describeChunks([['x'.repeat(200)]]))[0]?.title).toBe(`X${'x'.repeat(69)}`)
    expect(await describeChunks([[]])).toEqual([{ keywords: [], title: '' }])
  })

  it('have no words with which talk goes on, and begin with a capital letter', async () => {
    const titles = [
      'and so the whales sing.',
      'Well, um, whales sing.',
      'Now there are whales.',
      'So many whales sing.',
    ]
    const told = await describeChunks(titles.map((title) => [title]))
    expect(told.map(({ title }) => title)).toEqual([
      'The whales sing',
      'Whales sing',
      'There are whales',
      'So many whales sing',
    ])
  })

  it('are a clause that needs no other one, where no sentence fits', async () => {
    const long =
      'If you would like to try how well the doughs rise in a warm oven, you can bake a loaf of bread with more yeast.'
    expect((await describeChunks([[long, 'Dough.']]))[0]?.title).toBe('You can bake a loaf of bread with more yeast')
  })

  it.each([
    [
      'when a sentence does not fit',
      ['This test is most useful when you have connected to this asterisk server from a remote location.'],
      'This test is most useful',
    ],
    [
      'where another sentence tells less',
      [
        'The storm brings rain and wind against villages near mountain valleys with farmland orchards.',
        'The wind grew over time, and then it came back to us again.',
      ],
      'The wind grew over time, and then it came back to us again',
    ],
  ])('do not end in the middle of a clause %s', async (_, said, title) => {
    expect((await describeChunks([said])).map((chunk) => chunk.title)).toEqual([title])
  })

  it('do not begin or end in the middle of a clause beside an uncertain word', async () => {
    const king = {
      text: 'The old king roold the country for thirty years, his army lost the war against the northern empire.',
      phrases: ['the country for thirty years, his army lost the war against the northern empire.'],
    }
    const cut = {
      text: 'The old king ruled the country for thirty years and lost the woar.',
      phrases: ['The old king ruled the country for thirty years and lost the'],
    }
    const [begun, ended] = await describeSentences([[king], [cut]])
    expect(begun?.title).toBe('His army lost the war against the northern empire')
    expect(ended?.title).toBe('The old king ruled the country for thirty years')
  })

  it('do not end where a speaker hesitates', async () => {
    const text = 'It is quite warm here, and all of us thought so then.'
    const said = { text: 'The bread bakes in the, glorb.', phrases: ['The bread bakes in the,'] }
    expect((await describeSentences([[said, { text, phrases: [text] }]]))[0]?.title).toBe(text.slice(0, -1))
  })

  it.each(['To open the wooden door.', 'If you open the wooden door.'])('are not %j alone', async (said) => {
    const told = await describeChunks([[said, 'We pressed a button for a while and then again.']])
    expect(told[0]?.title).toBe('We pressed a button for a while and then again')
  })

  it('are a complete phrase where no phrase tells anything', async () => {
    const broken = { text: 'Now you just beeng it.', phrases: ['Now you just'] }
    const told = await describeSentences([[broken, { text: 'We do not.', phrases: ['We do not.'] }]])
    expect(told[0]?.title).toBe('We do not')
  })

  it('do not begin where a pause or a limit of length splits a sentence', async () => {
    const said = ['We bake the bread for', 'forty minutes of bread heat.', 'The bread is warm.']
    expect((await describeChunks([said]))[0]?.title).toBe('The bread is warm')
  })

  it('are broken where nothing else tells anything', async () => {
    const phrase = 'country that armies'
    expect(
      (await describeSentences([[{ text: 'Roold country that armies lorst.', phrases: [phrase] }]]))[0]?.title,
    ).toBe('Country that armies')
  })

  it('are made of certain words alone', async () => {
    const text = 'The storm brings glorbs, and more rain and wind.'
    const certain = { text: 'There is wind.', phrases: ['There is wind.'] }
    const told = await describeSentences([
      [{ text, phrases: ['and more rain and wind.'] }],
      [{ text, phrases: [] }, certain],
      [{ text, phrases: [] }],
    ])
    expect(told.map(({ title }) => title)).toEqual(['More rain and wind', 'There is wind', ''])
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
