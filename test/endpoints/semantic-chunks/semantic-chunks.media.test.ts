import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { semanticChunksEndpoint } from '../../../src/endpoints/audio-semantic-chunks/declaration.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const titled = z.object({ start: z.number(), end: z.number(), duration: z.number(), title: z.string() })
const found = z.object({
  chunks: z.array(titled.extend({ text: z.string(), keywords: z.array(z.string()) })),
  segments: z.array(titled),
})

describe.skipIf(!models.has('embed'))(`chunks by topic${whySkipped}`, () => {
  it('have the times, words, keywords and title of what is said', async () => {
    const settings = { target_seconds: 12, min_seconds: 3 }
    const { result, billedMilliseconds } = await runEndpoint(semanticChunksEndpoint, {
      ...{ file: speech, start: 0, end: 15, settings, models },
    })
    const { chunks, segments } = found.parse(result)
    const [first] = chunks
    expect(chunks.length).toBeGreaterThan(1)
    // The recording's own text begins: "If you would like to learn more technical information about Asterisk, dial 2 now."
    expect(first?.text).toContain('technical information about Asterisk')
    expect(first?.text.toLowerCase()).toContain(first?.title.toLowerCase())
    expect(first?.keywords).toContain('asterisk')
    expect(segments).toEqual(chunks.map(({ start, end, duration, title }) => ({ start, end, duration, title })))
    for (const [index, { start, end, duration }] of chunks.entries()) {
      expect(start).toBeGreaterThanOrEqual(chunks[index - 1]?.end ?? 0)
      expect(end).toBeLessThanOrEqual(15.1)
      expect(duration).toBeGreaterThanOrEqual(3)
    }
    expect(result).toMatchObject({ max_chapters: null })
    expect(billedMilliseconds).toBe(15_000)
  })

  it('are as many as asked, or a warning says why not', async () => {
    const chaptersOf = async (settings: object) => {
      const { result, warnings } = await runEndpoint(semanticChunksEndpoint, {
        ...{ file: speech, start: 0, end: 38, settings, models, mayWarn: true },
      })
      return { count: found.parse(result).chunks.length, warnings }
    }
    expect(await chaptersOf({ min_chapters: 3, min_seconds: 5 })).toEqual({ count: 3, warnings: [] })
    expect(await chaptersOf({ max_chapters: 2, target_seconds: 10 })).toEqual({ count: 2, warnings: [] })
    const { count, warnings } = await chaptersOf({ min_chapters: 4, min_seconds: 15 })
    expect(count).toBeLessThan(4)
    expect(warnings).toEqual([expect.stringContaining('fewer than were asked for: ')])
    const whole = { startSeconds: null, endSeconds: null }
    const refusal = semanticChunksEndpoint.validate(whole, { min_chapters: 3, max_chapters: 2 })
    expect(refusal).toMatch(/max_chapters is less/)
  })

  it('have titles of slides, where a job of video/text-frames read some', async () => {
    const box = { x: 0.1, y: 0.1, width: 0.5, height: 0.1 }
    const { result, warnings } = await runEndpoint(semanticChunksEndpoint, {
      ...{ file: speech, start: 0, end: 15, models, mayWarn: true },
      otherMedia: { earlier: 'lecture.mp4', own: 'speech.wav' },
      settings: { target_seconds: 12, min_seconds: 3, text_job_id: 'job_a' },
      earlier: {
        job_a: { media_seconds: 73.35, lines: [{ text: 'Choose a menu', start: 0, end: 5, box, confidence: 0.9 }] },
      },
    })
    const [first, second] = found.parse(result).segments
    expect(first?.title).toBe('Choose a menu')
    expect(second?.title).toMatch(/^\p{Lu}/u)
    expect(second?.title).not.toBe('Choose a menu')
    expect(warnings).toEqual([expect.stringMatching(/titles of slides come from .lecture\.mp4./)])
  })

  it('are none, with a warning, where nobody speaks', async () => {
    const { result, warnings } = await runEndpoint(semanticChunksEndpoint, {
      ...{ file: await fixture('beeps.mp4'), models, mayWarn: true },
    })
    expect(result).toMatchObject({ max_chapters: 3, chunks: [], segments: [], total_segment_seconds: 0 })
    expect(warnings).toEqual(['No speech was found, so there are no chunks.'])
  })
})
