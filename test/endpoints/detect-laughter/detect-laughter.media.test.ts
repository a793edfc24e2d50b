import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectLaughterEndpoint } from '../../../src/endpoints/audio-detect-laughter/declaration.ts'
import { laughSamples } from '../../fixtures/laugh.ts'
import { speech } from '../../fixtures/make.ts'
import { pcmOf, temporaryFolder } from '../../media/measure.ts'
import { wavOf } from '../../media/wav.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { runEndpoint } from '../run-endpoint.ts'

const found = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), score: z.number(), kind: z.string() })),
})

describe.skipIf(!models.has('sound-tags'))(`finding laughter${whySkipped}`, () => {
  it('finds a laugh between sentences where it is, and none in speech', async () => {
    const talk = await pcmOf(speech, 'aresample=16000,atrim=end=6')
    const file = path.join(temporaryFolder(), 'talk.wav')
    writeFileSync(file, wavOf([talk, laughSamples(2.5), talk], 16_000))
    const run = (settings: object = {}, window: object = {}) =>
      runEndpoint(detectLaughterEndpoint, { file, settings, models, ...window })
    const { segments } = found.parse((await run({ threshold: 0.15 })).result)
    expect(segments).toHaveLength(1)
    expect(segments[0]?.start).toBeGreaterThan(5.5)
    expect(segments[0]?.end).toBeLessThan(9)
    const { result, billedMilliseconds } = await run({ threshold: 0.05 }, { end: 6 })
    expect([found.parse(result).segments, billedMilliseconds]).toEqual([[], 6_000])
  })
})
