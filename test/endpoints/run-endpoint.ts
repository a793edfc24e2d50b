import { expect } from 'vitest'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { createCores } from '../../src/media/sound/cores.ts'
import { measuredEnvelopes } from '../../src/media/sound/envelopes.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import type { SpeechModel } from '../../src/media/speech/speech-model.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../media/measure.ts'

export interface Ask {
  readonly file: string
  readonly start?: number
  readonly end?: number
  readonly settings?: object
  /** The job may warn, of damage for instance; healthy media must not. */
  readonly mayWarn?: true
  readonly speechModel?: SpeechModel | undefined
}

export const ffmpeg = testFfmpeg()

/** Runs an endpoint like a job, and checks its declared result and that its bill is within the estimate. */
export async function runEndpoint(
  endpoint: MediaEndpoint,
  { file, start, end, settings = {}, mayWarn, speechModel }: Ask,
) {
  const info = await inspectFile(file, ffmpeg, never)
  const window = { startSeconds: start ?? null, endSeconds: end ?? null }
  const media = { info, open: () => fileSource(file) }
  const cores = createCores(1)
  const envelopes = measuredEnvelopes({ media, ffmpeg, cores, signal: never })
  const pieces = { restore: async () => false, save: async () => {} }
  const progress: number[] = []
  const output = await endpoint.run({
    ...{ media, envelopes, ffmpeg, cores, pieces, window, settings, workDir: temporaryFolder(), signal: never },
    speechModel: async () => speechModel,
    reportProgress: (fraction) => progress.push(fraction),
  })
  expect(endpoint.result.parse(output.result)).toEqual(output.result)
  expect(JSON.parse(JSON.stringify(output.result))).toEqual(output.result)
  if (!mayWarn) expect(output.warnings ?? []).toEqual([])
  const most = endpoint.billableMilliseconds(window, settings, info.durationSeconds)
  expect(output.billedMilliseconds).toBeLessThanOrEqual(most ?? -1)
  expect(Number.isSafeInteger(output.billedMilliseconds)).toBe(true)
  expect(progress.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true)
  return { ...output, info }
}
