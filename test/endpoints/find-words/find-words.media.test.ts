import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findWordsEndpoint } from '../../../src/endpoints/audio-find-words/declaration.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const segment = z.object({ start: z.number(), end: z.number() })
const found = z.object({
  matches: z.array(segment.extend({ query: z.string(), text: z.string(), before: z.string(), after: z.string() })),
  segments: z.array(segment),
  transcript: z.object({ text: z.string(), words: z.array(segment), sentences: z.array(segment) }),
})

describe.skipIf(!models.has('transcribe'))(`finding words${whySkipped}`, () => {
  const find = async (
    file: string,
    settings: object = {},
    window: { start?: number; end?: number; mayWarn?: true } = {},
  ) => {
    const output = await runEndpoint(findWordsEndpoint, { file, settings, models, ...window })
    return { ...output, ...found.parse(output.result) }
  }

  it('finds words where they are spoken, on the clock of the media', async () => {
    // The recording's own text begins: "If you would like to learn more technical information about Asterisk, dial 2 now."
    const queries = ['technical information', 'test', 'banana']
    const { matches, transcript, segments, warnings } = await find(
      speech,
      { queries },
      { start: 0.5, end: 15, mayWarn: true },
    )
    expect(transcript.text).toContain('If you would like to learn more technical information about Asterisk')
    expect(matches.map(({ query }) => query)).toEqual(['technical information', 'test'])
    expect(matches[0]).toMatchObject({ text: 'technical information', before: 'If you would like to learn more' })
    expect(matches[0]?.after).toMatch(/^about Asterisk/)
    expect(warnings).toEqual([expect.stringContaining('matches "banana"')])
    // Between the start of the speech and the pause after the sentence.
    expect(matches[0]?.start).toBeGreaterThan(1.5)
    expect(matches[0]?.end).toBeLessThan(4.5)
    expect(segments).toHaveLength(2)
  })

  it('writes the subtitles of what is said', async () => {
    const { files, transcript, segments } = await find(speech, {}, { start: 0, end: 11 })
    expect(files.map(({ fileName }) => fileName)).toEqual(['subtitles.vtt', 'subtitles.srt', 'words.json'])
    const [vtt = '', srt = ''] = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')))
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\nIf you would like to learn/)
    expect(srt).toMatch(/^1\n00:00:00,\d{3} --> /)
    expect(segments).toHaveLength(transcript.sentences.length)
    const times = transcript.words.flatMap(({ start, end }) => [start, end])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('finds the same words in the other half of a window that begins later', async () => {
    const queries = ['asterisk']
    const whole = await find(speech, { queries }, { start: 0, end: 15 })
    const late = await find(speech, { queries }, { start: 7, end: 15 })
    expect(late.matches).toHaveLength(whole.matches.filter(({ start }) => start >= 7).length)
    expect(late.matches[0]?.start).toBeCloseTo(whole.matches.find(({ start }) => start >= 7)?.start ?? 0, 0)
  })

  it('invents no words in sound that is not speech', async () => {
    const { transcript, matches, files } = await find(await fixture('beeps.mp4'), {
      queries: ['thank you'],
      min_confidence: 0,
    })
    expect([transcript.text, transcript.words, matches]).toEqual(['', [], []])
    expect(await readFile(files[0]?.path ?? '', 'utf8')).toBe('WEBVTT\n')
  })
})
