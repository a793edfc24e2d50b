import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { textFramesEndpoint } from '../../../src/endpoints/video-text-frames/declaration.ts'
import { film } from '../../fixtures/make.ts'
import { filmWithText, shownTexts } from '../../fixtures/text-film.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const segment = z.object({ start: z.number(), end: z.number() })
const line = segment.extend({
  text: z.string(),
  confidence: z.number(),
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
})
const found = z.object({
  matches: z.array(line.extend({ query: z.string() })),
  segments: z.array(segment),
  lines: z.array(line),
})

describe.skipIf(!models.has('read-text'))(`finding text on the screen${whySkipped}`, () => {
  const find = async (file: string, settings: object = {}, window: { start?: number; end?: number } = {}) =>
    found.parse((await runEndpoint(textFramesEndpoint, { file, settings, models, ...window })).result)

  it('reads each line where it is, from when it appears to when it disappears', async () => {
    const { lines, segments, matches } = await find(await filmWithText())
    expect(lines.map(({ text }) => text)).toEqual(shownTexts.map(({ text }) => text))
    for (const [index, { start, end, x, y }] of shownTexts.entries()) {
      const read = lines[index]
      expect(Math.abs((read?.start ?? 0) - start)).toBeLessThanOrEqual(0.3)
      expect(Math.abs((read?.end ?? 0) - end)).toBeLessThanOrEqual(0.3)
      expect(Math.abs((read?.box.x ?? 0) - x / 480)).toBeLessThan(0.04)
      expect(Math.abs((read?.box.y ?? 0) + (read?.box.height ?? 0) - y / 270)).toBeLessThan(0.06)
    }
    expect(matches).toEqual([])
    expect(segments).toHaveLength(1)
  })

  it('finds queries, in a window and in a part of the picture', async () => {
    const settings = { queries: ['WHERE', 'live', 'chapter'], region: { x: 0, y: 0.75, width: 1, height: 0.25 } }
    const { lines, matches, segments } = await find(await filmWithText(), settings, { start: 3, end: 5.2 })
    expect(lines.map(({ text }) => text)).toEqual(['Where are you going?', 'To the hills at 10:45'])
    expect(matches).toEqual([{ query: 'WHERE', ...lines[0] }])
    expect(segments).toHaveLength(1)
    expect(lines[1]?.end).toBe(5.2)
  })

  it('invents no text in film without any', async () => {
    const { lines, segments } = await find(film, {}, { end: 2 })
    expect([lines, segments]).toEqual([[], []])
  })
})
