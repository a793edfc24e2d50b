import type { MediaInfo } from '../src/core/media.ts'
import type { SerialQueue } from '../src/core/serial-queue.ts'
import { mediaInfoOf } from '../src/store/job-documents.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { type RunInput, runJob } from './run.ts'
import { whileBeating } from './worker/heartbeat.ts'

/** An hour of a track takes up to 18 MB of memory, and many jobs wait for their sources at once. */
const longSeconds = 2 * 3_600

/** Whether the media is so long that the media steps' slots, or turns, must keep it from filling the memory. */
export function isLong({ audio, durationSeconds }: MediaInfo): boolean {
  return audio.length * durationSeconds > longSeconds
}

/** Does the work of a job that may have to wait for its source: one at a time where the media is long. */
export async function runStreamed(deps: Dependencies, input: RunInput, inTurn: SerialQueue): Promise<void> {
  const info = mediaInfoOf(await getJob(deps.db, input.jobId))
  if (!info || !isLong(info)) return runJob(deps, input)
  await whileBeating((signal) => inTurn(() => runJob(deps, input), signal))
}
