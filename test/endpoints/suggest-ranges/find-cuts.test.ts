import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EarlierWord } from '../../../src/endpoints/define-timeline-endpoint.ts'
import { parseSettings } from '../../../src/endpoints/parse-settings.ts'
import { suggestRangesEndpoint as declared } from '../../../src/endpoints/timeline-suggest-ranges/declaration.ts'
import { findCuts, type TextCuts } from '../../../src/endpoints/timeline-suggest-ranges/find-cuts.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'
import { outputOf } from '../answer-of.ts'

/** A word a second, each half a second long; where `|` follows a word, the middle of the pause is quiet. */
function spoken(text: string): EarlierWord[] {
  const words = text.split(' ')
  const quietAfter = (at: number) => (words[at]?.endsWith('|') ? at + 0.75 : null)
  return words.map((word, at) => ({
    ...{ text: word.replace('|', ''), start: at, end: at + 0.5 },
    quietBefore: at === 0 ? null : quietAfter(at - 1),
    quietAfter: quietAfter(at),
  }))
}

const nothing = { removeWords: [], removeRepeats: false, keepText: undefined, hesitations: [] }
const cut = (text: string, wanted: object) => {
  const words = spoken(text)
  return findCuts(words, { start: 0, end: words.length }, { ...nothing, ...wanted })
}

describe('words', () => {
  it('are cut from one quiet moment to the next, with what they are and why', async () => {
    const { cuts, uncut } = await cut('I| um,| think| you know| so', { removeWords: ['UM', 'you know', 'know so'] })
    expect(cuts).toEqual([
      { start: 0.75, end: 1.75, text: 'um,', reason: 'word' },
      { start: 2.75, end: 4.75, text: 'you know', reason: 'word' },
    ])
    expect(uncut).toEqual([])
  })

  it('stay where speech continues beside them, and are listed', async () => {
    const { cuts, uncut } = await cut('I um| think| um so', { removeWords: ['um'] })
    expect(cuts).toEqual([])
    expect(uncut.map(({ text, start }) => [text, start])).toEqual([
      ['um', 1],
      ['um', 3],
    ])
  })

  it('that follow each other are cut together, up to the last quiet moment', async () => {
    const { cuts, uncut } = await cut('so| um uh| er I', { removeWords: ['um', 'uh', 'er'] })
    expect(cuts).toEqual([{ start: 0.75, end: 2.75, text: 'um uh', reason: 'word' }])
    expect(uncut.map(({ text }) => text)).toEqual(['er'])
  })

  it('that are far apart are cut one by one, because the transcript can leave out what is said between them', async () => {
    const [so, um, uh, tea] = spoken('so| um| uh| tea')
    if (!so || !um || !uh || !tea) throw new Error('no words')
    const later = [uh, tea].map((word) => ({ ...word, start: word.start + 2, end: word.end + 2 }))
    const words = [
      so,
      um,
      { ...uh, ...later[0], quietBefore: 3.75, quietAfter: 4.75 },
      { ...tea, ...later[1], quietBefore: 4.75 },
    ]
    const { cuts } = await findCuts(words, { start: 0, end: 6 }, { ...nothing, removeWords: ['um', 'uh'] })
    expect(cuts.map(({ start, end }) => [start, end])).toEqual([
      [0.75, 1.75],
      [3.75, 4.75],
    ])
  })

  it('said again around a filler are a repeat', async () => {
    const { cuts } = await cut('so| I want| um| I want| tea', { removeWords: ['um'], removeRepeats: true })
    expect(cuts).toEqual([
      { start: 0.75, end: 3, text: 'I want', reason: 'repeat' },
      { start: 3, end: 3.75, text: 'um', reason: 'word' },
    ])
  })

  it('that are a part of another one stay', async () => {
    expect((await cut('a| well-known| man', { removeWords: ['well'] })).cuts).toEqual([])
  })
})

describe('hesitations', () => {
  const words = spoken('so| I| um| think| so')
  const within = { start: 0, end: 5 }
  const certain = { start: 0.6, end: 0.9, quietBefore: 0.55, quietAfter: 0.95 }
  const doubtful = { start: 3.6, end: 3.9, quietBefore: null, quietAfter: null }

  it('are cut if they are certain, and listed if they are not', async () => {
    const { cuts, uncut } = await findCuts(words, within, { ...nothing, hesitations: [certain, doubtful] })
    expect(cuts).toEqual([{ start: 0.55, end: 0.95, text: 'uh?', reason: 'sound' }])
    expect(uncut).toEqual([{ start: 3.6, end: 3.9, text: 'uh?', reason: 'sound' }])
  })

  it('do not keep words apart that belong together', async () => {
    const said = [words[0], words[3], words[4]].filter((word) => word !== undefined)
    const hesitation = { start: 1.5, end: 1.9, quietBefore: 1.2, quietAfter: 2.2 }
    const wanted = { ...nothing, removeWords: ['so think'], hesitations: [hesitation] }
    const { cuts } = await findCuts(said, within, wanted)
    expect(cuts).toEqual([{ start: 0, end: 3.75, text: 'so uh? think', reason: 'word' }])
  })

  it('are cut together with the fillers beside them', async () => {
    const beside = { start: 2.6, end: 2.7, quietBefore: 2.55, quietAfter: 2.8 }
    const heard = words.map((word, at) => (at === 2 ? { ...word, quietAfter: 2.55 } : word))
    const { cuts } = await findCuts(heard, within, { ...nothing, removeWords: ['um'], hesitations: [beside] })
    expect(cuts.map(({ start, end, reason }) => [start, end, reason])).toEqual([
      [1.75, 2.6, 'word'],
      [2.6, 2.8, 'sound'],
    ])
  })

  it('are listed, not cut, if a word is where they are', async () => {
    const met = { start: 1.3, end: 1.6, quietBefore: 1.25, quietAfter: 1.7 }
    const { cuts, uncut } = await findCuts(words, within, { ...nothing, hesitations: [met] })
    expect([cuts, uncut.map(({ start, end }) => [start, end])]).toEqual([[], [[1.3, 1.6]]])
  })

  it('are cut as the word that the transcript has for them', async () => {
    const said = spoken('so| Ah,| I')
    const hesitations = [{ start: 1, end: 1.5, quietBefore: 0.75, quietAfter: 1.75 }]
    const { cuts } = await findCuts(said, within, { ...nothing, hesitations })
    expect(cuts).toEqual([{ start: 0.75, end: 1.75, text: 'Ah,', reason: 'sound' }])
  })

  it('that are doubtful are not listed where words are cut', async () => {
    const inside = { ...doubtful, start: 1.9, end: 2.2 }
    const wanted = { ...nothing, removeWords: ['um'], hesitations: [inside] }
    expect((await findCuts(words, within, wanted)).uncut).toEqual([])
  })
})

describe('a text to keep', () => {
  const keep = async (text: string, keepText: string) => {
    const { cuts, missing } = await cut(`${text.replaceAll(' ', '| ')}|`, { keepText })
    return { cuts: cuts.map((each) => each.text.replaceAll('|', '')), missing }
  }

  it('is what stays, in its last take, without regard to case, accents and punctuation', async () => {
    const said = 'Okay Zoë went home, no Zoe went home. Thanks'
    expect(await keep(said, 'zoe went HOME')).toEqual({ cuts: ['Okay Zoë went home, no', 'Thanks'], missing: [] })
  })

  it('stays where other words are heard in its place', async () => {
    const said = 'It was in seventeen seventy five that it began okay bye'
    expect(await keep(said, 'It was in 1775 that it began')).toEqual({ cuts: ['okay bye'], missing: [] })
  })

  it('stays in one piece where its words are said later too', async () => {
    const said = 'Hello and welcome to us. Later people say and then you are welcome'
    expect((await keep(said, 'Hello and welcome')).cuts).toEqual(['to us. Later people say and then you are welcome'])
  })

  it('that nobody said is listed as it is written', async () => {
    const { cuts, missing } = await keep('one two three', 'One (really!) two three, and four.')
    expect([cuts, missing]).toEqual([[], ['(really!)', 'and four.']])
  })

  it('of which nothing was said is refused', async () => {
    await expect(keep('one two', 'drei')).rejects.toMatchObject({ code: 'nothing_found' })
  })
})

it('every word that is kept stays whole, whatever the times are', async () => {
  const word = fc.record({
    text: fc.constantFrom('um', 'I', 'want', 'to', 'go.'),
    gap: fc.constantFrom(0, 0, 0.05, 0.3, 3),
    length: fc.constantFrom(0, 0.1, 0.4),
    quiet: fc.constantFrom<(number | null | undefined)[]>(null, undefined, 0, 0.5, 1, 7, -2),
  })
  const sound = fc.record({
    ...{ start: fc.double({ min: 0, max: 6, noNaN: true }), length: fc.constantFrom(0.1, 0.4) },
    beside: fc.constantFrom(null, 0, 0.1, 1),
  })
  const sounds = fc.array(sound, { maxLength: 6 }).map((list) =>
    list
      .map(({ start, length, beside }) => ({
        ...{ start, end: start + length, quietBefore: beside === null ? null : start - beside },
        quietAfter: beside === null ? null : start + length + beside,
      }))
      .toSorted((a, b) => a.start - b.start),
  )
  const wanted = fc.record({
    hesitations: sounds,
    removeWords: fc.constantFrom([], ['um'], ['want to', 'I']),
    removeRepeats: fc.boolean(),
    keepText: fc.constantFrom(undefined, 'I want to go', 'um go'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 12 }), wanted, async (list, asked) => {
      let at = 0
      const words = list.map(({ text, gap, length, quiet }, index): EarlierWord => {
        const [start, next] = [at + gap, list[index + 1]?.gap ?? 1]
        at = start + length
        const before = quiet === null || quiet === undefined ? quiet : start - quiet * gap
        const after = quiet === null || quiet === undefined ? quiet : at + quiet * next
        return { text, start, end: at, quietBefore: before, quietAfter: after }
      })
      const within = { start: 0, end: at + 1 }
      let found: TextCuts
      try {
        found = await findCuts(words, within, asked)
      } catch {
        return
      }
      const { cuts, uncut } = found
      const removed = [...cuts].flatMap(({ text }) => text.split(' ').filter((word) => word !== 'uh?'))
      let whole = 0
      for (const { start, end } of words) {
        const inside = cuts.some((each) => each.start <= start && end <= each.end)
        const touched = cuts.some((each) => each.start < end - 1e-9 && start + 1e-9 < each.end)
        expect(touched && !inside).toBe(false)
        if (inside) whole += 1
      }
      expect(whole).toBeGreaterThanOrEqual(removed.length)
      for (const [index, { start, end }] of cuts.entries()) {
        expect(start).toBeLessThanOrEqual(end)
        expect(start).toBeGreaterThanOrEqual(cuts[index - 1]?.end ?? 0)
        expect(end).toBeLessThanOrEqual(within.end)
      }
      expect(uncut.every(({ text }) => text.length > 0)).toBe(true)
    }),
  )
})

describe('cutting a day of speech', () => {
  const words = Array.from({ length: 216_000 }, (_, at) => ({
    text: at % 2 === 0 ? 'so' : `word${at % 5_000}`,
    ...{ start: at * 0.4, end: at * 0.4 + 0.2, quietBefore: at * 0.4 - 0.1, quietAfter: at * 0.4 + 0.3 },
  }))
  const within = { start: 0, end: 86_400 }
  const manyTimes = (word: string, times: number) => Array(times).fill(word).join(' ')

  it.each([
    ['a word with endless marks', { keepText: `so${'\u0301\u0316'.repeat(49_000)}` }, 215_999],
    ['one word', { keepText: 'word1' }, 215_999],
    ['every word', { removeWords: ['so'], removeRepeats: true }, 108_000],
    ['no word', { removeWords: [`${manyTimes('so', 99)} no`], removeRepeats: true }, 0],
  ])('by %s lets other work have its turns', bestOfThree, async (_what, wanted, left) => {
    let found: TextCuts | undefined
    const longest = await longestWork(async () => {
      found = await findCuts(words, within, { ...nothing, ...wanted })
    })
    const cut = found?.cuts.reduce((sum, { text }) => sum + text.split(' ').length, 0)
    expect(cut).toBe(left)
    expect(longest).toBeLessThan(tooLongMs)
  })

  it('finds long phrases among equal words in turns', bestOfThree, async () => {
    const same = words.map((word) => ({ ...word, text: 'so' }))
    const removeWords = Array.from({ length: 100 }, (_, at) => `${manyTimes('so', 60)} ${at}`)
    expect(await longestWork(() => findCuts(same, within, { ...nothing, removeWords }))).toBeLessThan(tooLongMs)
  })
})

describe('timeline/suggest-ranges by text', () => {
  const window = { startSeconds: null, endSeconds: null }
  const earlier = { job_a: { window, mediaSeconds: 6, words: spoken('I| um| think| so|') } }

  it('returns what stays, what was cut, and warns of what it could not do', async () => {
    const settings = { job_id: 'job_a', remove_words: ['um', 'so'], keep_text: 'I um think so too' }
    const { result, warnings } = await outputOf(declared, settings, {}, earlier)
    expect(result).toMatchObject({
      ranges: [
        { start: 0, end: 0.75 },
        { start: 1.75, end: 2.75 },
        { start: 3.75, end: 6 },
      ],
      cuts: [{ text: 'um', start: 0.75, end: 1.75 }, { text: 'so' }],
      uncut: [],
      saved_seconds: 2,
    })
    expect(warnings).toEqual(['Not said, of settings.keep_text: "too".'])
  })

  it('cuts by sound too if fillers are cut, and warns of what may be words', async () => {
    const hesitations = [
      { start: 0.6, end: 0.65, quietBefore: 0.55, quietAfter: 0.7 },
      { start: 4, end: 4.3, quietBefore: null, quietAfter: null },
    ]
    const heard = { job_a: { ...earlier.job_a, hesitations } }
    const cutWords = async (remove_words: string[]) => outputOf(declared, { job_id: 'job_a', remove_words }, {}, heard)
    const { result, warnings } = await cutWords(['Um'])
    expect(result).toMatchObject({ gaps_kept: 1, uncut: [{ text: 'uh?', reason: 'sound', start: 4 }] })
    expect(result['cuts']).toMatchObject([{ reason: 'sound', start: 0.55 }, { text: 'um' }])
    expect(warnings).toEqual([expect.stringContaining('Not cut, because they may be words: 1 sound like a filler.')])
    expect((await cutWords(['think'])).result).toMatchObject({ cuts: [{ text: 'think' }], uncut: [] })
  })

  it('cuts in the middle of gaps where a transcript of an earlier version has no quiet moments', async () => {
    const words = spoken('I| um| so').map(({ text, start, end }) => ({ text, start, end }))
    const old = { job_a: { window, mediaSeconds: 5, words } }
    const { result } = await outputOf(declared, { job_id: 'job_a', remove_words: ['um'] }, {}, old)
    expect(result).toMatchObject({ cuts: [{ start: 0.75, end: 1.75 }] })
  })

  it('refuses a job that heard nothing', async () => {
    const silent = { job_a: { window, mediaSeconds: 6, words: [] } }
    await expect(outputOf(declared, { job_id: 'job_a', remove_repeats: true }, {}, silent)).rejects.toMatchObject({
      code: 'nothing_found',
      message: expect.stringContaining('heard no words'),
    })
  })

  it('refuses a text that is too long to compare', async () => {
    const words = spoken(Array(30_000).fill('word').join(' '))
    const long = { job_a: { window, mediaSeconds: 40_000, words } }
    const settings = { job_id: 'job_a', keep_text: Array(20_000).fill('word').join(' ') }
    await expect(outputOf(declared, settings, {}, long)).rejects.toThrow('cannot compare that many')
  })

  it.each([
    [{ remove_words: ['um'], preset: 'tight' }, 'settings.preset: not with remove_words'],
    [{ remove_repeats: true, keep: 'silence' }, 'settings.keep: not with'],
    [{ keep_text: 'so', padding_seconds: 1, min_segment_seconds: 1 }, 'settings.padding_seconds: not with'],
    [{ keep_text: ' ' }, 'settings.keep_text'],
    [{ remove_words: ['…'] }, 'settings.remove_words[0]: expected a word'],
  ])('refuses %j before anything runs', (settings, message) => {
    expect(() => parseSettings(declared, settings)).toThrow(message)
  })

  it('refuses to cut by text without a job', () => {
    expect(declared.validate(window, { remove_repeats: true })).toContain('settings.job_id')
  })
})
