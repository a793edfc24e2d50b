import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createSpeechModel } from '../../../activities/worker/speech-model.ts'

const silent = pino({ level: 'silent' })

it('a speech model is loaded once, at its first use, and closed at the end', async () => {
  const seen: string[] = []
  const model = { listen: async () => new Float32Array(0), close: async () => void seen.push('closed') }
  const kept = createSpeechModel(silent, async () => {
    seen.push('loaded')
    return model
  })
  expect(seen).toEqual([])
  expect(await Promise.all([kept.get(), kept.get()])).toEqual([model, model])
  await kept.close()
  expect(seen).toEqual(['loaded', 'closed'])
})

it('without a loadable speech model jobs run without it, and the log has a line', async () => {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const kept = createSpeechModel(logger, () => Promise.reject(new Error('no such instruction')))
  expect(await kept.get()).toBeUndefined()
  await kept.close()
  expect(lines.join()).toContain('no such instruction')
})

it('an unused speech model is not loaded to be closed', async () => {
  await createSpeechModel(silent, () => Promise.reject(new Error('loaded'))).close()
})
