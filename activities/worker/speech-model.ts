import type { Logger } from 'pino'
import { loadSilero } from '../../src/media/speech/silero.ts'
import type { SpeechModel } from '../../src/media/speech/speech-model.ts'

/** The installed speech model, loaded for the first job that uses it. If it cannot be loaded, jobs run without it. */
export function createSpeechModel(logger: Logger, load: () => Promise<SpeechModel | undefined> = loadSilero) {
  let loading: Promise<SpeechModel | undefined> | undefined
  return {
    get: () => {
      loading ??= load().catch((error: unknown) => {
        logger.warn({ err: error }, 'speech model not loaded')
        return undefined
      })
      return loading
    },
    close: async () => (await loading)?.close(),
  }
}
