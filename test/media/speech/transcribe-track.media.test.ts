import { describe, expect, it } from 'vitest'
import { createCores } from '../../../src/media/sound/decode-audio.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { transcribeTrack } from '../../../src/media/speech/transcribe-track.ts'
import { speech } from '../../fixtures/make.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, testFfmpeg } from '../measure.ts'

describe.skipIf(!models.has('transcribe'))(`the installed models of words${whySkipped}`, () => {
  it('report progress while they decode and listen, before any word is known, and it only increases', async () => {
    const ffmpeg = testFfmpeg()
    const info = await inspectFile(speech, ffmpeg, never)
    const events: (number | string)[] = []
    await transcribeTrack({
      ...{ media: { info, open: () => fileSource(speech) }, ffmpeg, cores: createCores(1), signal: never },
      ...{ input: { path: speech, format: 'wav' }, trackIndex: 0, window: { start: 0, end: 12 } },
      models: {
        ...models,
        run: (name, input) => {
          events.push(name)
          return models.run(name, input)
        },
      },
      onProgress: (fraction) => events.push(fraction),
    })
    const fractions = events.filter((event) => typeof event === 'number')
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)
    const heard = events.slice(0, events.indexOf('transcribe')).findLast((event) => typeof event === 'number')
    expect(heard).toBeCloseTo(0.2)
  })
})
