import { expect } from 'vitest'
import type { OpenBrand } from '../../src/core/brand.ts'
import type { Passage } from '../../src/core/passages.ts'
import { checkMedia, type MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import type { MediaNames } from '../../src/endpoints/run-contract.ts'
import { madeFoundFrames } from '../../src/media/frames/find-frames.ts'
import { readScreen } from '../../src/media/frames/text-reader.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { type Envelopes, measuredEnvelopes } from '../../src/media/sound/envelopes.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { tagTrack } from '../../src/media/speech/tag-track.ts'
import { measuredTopicGaps } from '../../src/media/speech/topic-gaps.ts'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { madeAnalyses } from '../../src/media/track-analyses.ts'
import type { Models } from '../../src/models/models.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../media/measure.ts'

export interface Ask {
  readonly file: string
  readonly start?: number
  readonly end?: number
  readonly settings?: object
  /** The job may warn, of damage for instance; healthy media must not. */
  readonly mayWarn?: true
  /** None are installed otherwise. */
  readonly models?: Models
  /** Paths of uploaded pictures, by the id of the upload. */
  readonly pictures?: Readonly<Record<string, string>>
  readonly brands?: Readonly<Record<string, OpenBrand>>
  /** Of completed jobs, by id. */
  readonly earlier?: Readonly<Record<string, unknown>>
  /** The words of those whose results list none, by id. */
  readonly longTranscripts?: Readonly<Record<string, readonly Passage[]>>
  /** What answers in place of envelopes that are measured for each request. */
  readonly envelopesFrom?: (measured: Envelopes) => Envelopes
  /** The names of its media and of theirs, if these seem to be different. */
  readonly otherMedia?: MediaNames
}

export const ffmpeg = testFfmpeg()

const noModels = createModelPool({ modelsDir: undefined, size: 1 }).modelsFor(never)

/** Runs an endpoint like a job, and checks its declared result and that its bill is within the estimate. */
export async function runEndpoint(
  endpoint: MediaEndpoint,
  {
    file,
    start,
    end,
    settings = {},
    mayWarn,
    models = noModels,
    pictures = {},
    brands = {},
    earlier = {},
    longTranscripts = {},
    envelopesFrom = (measured) => measured,
    otherMedia,
  }: Ask,
) {
  const info = await inspectFile(file, ffmpeg, never)
  const window = { startSeconds: start ?? null, endSeconds: end ?? null }
  if (!endpoint.uploadsToRead(settings)) checkMedia(endpoint, { ...window, settings }, info)
  const media = { info, open: () => fileSource(file) }
  const cores = createCores(1)
  const envelopes = envelopesFrom(measuredEnvelopes({ media, ffmpeg, cores, signal: never }))
  const tools = { media, ffmpeg, cores, models, signal: never }
  const pieces = { restore: async () => undefined, save: async () => {} }
  const workDir = temporaryFolder()
  const progress: number[] = []
  const output = await endpoint.run({
    ...{
      media,
      envelopes,
      transcripts: madeAnalyses(tools, transcribeTrack),
      soundTags: madeAnalyses(tools, tagTrack),
      topicGaps: measuredTopicGaps({ media, models }),
      screenTexts: madeAnalyses(tools, readScreen),
      foundFrames: madeFoundFrames({ ...tools, workDir }),
      ffmpeg,
      cores,
      pieces,
      uploadedPicture: async (uploadId) => pictures[uploadId] ?? expect.fail('no such upload'),
      brand: async (brandId) => brands[brandId] ?? expect.fail('no such brand'),
      earlierResult: async (jobId) => earlier[jobId],
      earlierWords: async (jobId) => ({ words: longTranscripts[jobId] ?? [] }),
      otherMedia: async () => otherMedia,
      window,
      settings,
      workDir,
      signal: never,
      models,
    },
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
