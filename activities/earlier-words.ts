import { buffer } from 'node:stream/consumers'
import { ServiceError } from '../src/core/errors.ts'
import { findWordsEndpoint } from '../src/endpoints/audio-find-words/declaration.ts'
import { readWordsFile, wordsFileName } from '../src/endpoints/audio-find-words/words-file.ts'
import type { EarlierWords } from '../src/endpoints/define-timeline-endpoint.ts'
import { getEarlierJob } from '../src/store/earlier-results.ts'
import type { Job } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

/** The words of a completed job, from its file. Throws as `TimelineContext.earlierWords`. */
export async function readEarlierWords(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<EarlierWords> {
  const { endpoint, outputs, ...window } = await getEarlierJob(db, job, jobId)
  if (endpoint !== findWordsEndpoint.id)
    throw new ServiceError(
      'invalid_request',
      `${jobId} is a job of ${endpoint}. To cut by text, send a job of ${findWordsEndpoint.id}.`,
    )
  const file = outputs.find(({ objectKey }) => objectKey.endsWith(`/${wordsFileName}`))
  if (!file)
    throw new ServiceError(
      'invalid_request',
      `The files of ${jobId} are deleted. Find the words again: it reads nothing.`,
    )
  const text = (await buffer(await storage.read(file.objectKey))).toString()
  return { window, ...(await readWords(text, jobId)) }
}

/** Throws `processing_failed` for another text: a further attempt would read the same. */
async function readWords(text: string, jobId: string): Promise<Omit<EarlierWords, 'window'>> {
  try {
    return await readWordsFile(text)
  } catch (cause) {
    throw new ServiceError('processing_failed', `The words of ${jobId} cannot be read. Find the words again.`, {
      cause,
    })
  }
}
