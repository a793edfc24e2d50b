import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { roundToMillisecond } from '../../src/core/time-code.ts'
import { type CutFile, cutFileOf } from '../../src/exports/cut-file.ts'
import type { Credential } from '../../src/store/credentials.ts'
import type { ApiContext } from '../http/context.ts'
import { findCompletedJob, findCompletedRun } from './find-completed.ts'

/** The one file that a job, or the last step of a run, cut from the media. Throws `invalid_request` if it read other media. */
export async function findCutFile(
  context: Pick<ApiContext, 'db'>,
  reader: Credential,
  id: string,
  media: MediaInfo | undefined,
): Promise<CutFile> {
  const job = isId('run', id)
    ? (await findCompletedRun(context, reader, id)).jobs.at(-1)
    : await findCompletedJob(context, reader, id)
  const fileName = job?.outputs.find(({ role }) => role === 'media')?.fileName ?? 'clip'
  const file = cutFileOf({ id, result: job?.result, fileName })
  if (!media || roundToMillisecond(media.durationSeconds) === file.sourceSeconds) return file
  throw new ServiceError(
    'invalid_request',
    `output_of: ${id} cut media of another length than that of these times. Send one that cut the same media.`,
  )
}
