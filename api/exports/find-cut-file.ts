import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { otherLength } from '../../src/core/same-media.ts'
import { type CutFile, cutFileOf } from '../../src/exports/cut-file.ts'
import type { Credential } from '../../src/store/credentials.ts'
import type { ResultContext } from '../jobs/find.ts'
import { findCompletedJob, findCompletedRun, notCompleted } from './find-completed.ts'

/** The one file that a job, or the last step of a run, cut from the media. Throws `invalid_request` if it read other media. */
export async function findCutFile(
  context: ResultContext,
  reader: Credential,
  id: string,
  media: MediaInfo | undefined,
): Promise<CutFile> {
  const job = isId('run', id)
    ? (await findCompletedRun(context, reader, id, notCompleted)).jobs.at(-1)
    : await findCompletedJob(context, reader, id)
  const fileName = job?.outputs.find(({ role }) => role === 'media')?.fileName ?? 'clip'
  const file = cutFileOf({ id, result: job?.result, fileName })
  const other = media && otherLength(file.sourceSeconds, media.durationSeconds)
  if (!other) return file
  throw new ServiceError(
    'invalid_request',
    `output_of: the cut of ${id} ${other} Send a job or run that cut this media, or leave output_of out.`,
  )
}
