import { Prisma } from '../../../src/db/generated/client.ts'
import { recordOutcome } from '../../../src/jobs/probes.ts'
import type { Api } from '../api.ts'
import { recordingOf } from '../jobs/media-info.ts'

/** Does what a worker does with probes: all media have this length. Returns what ends it. */
export function answerProbes({ db }: Pick<Api, 'db'>, seconds: () => number = () => 60): () => Promise<void> {
  let hasEnded = false
  const open = { mediaInfo: { equals: Prisma.DbNull }, error: { equals: Prisma.DbNull } }
  const work = async () => {
    while (!hasEnded) {
      for (const { id } of await db.probe.findMany({ where: open })) {
        await recordOutcome(db, id, { info: recordingOf(seconds()) })
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const working = work()
  return async () => {
    hasEnded = true
    await working
  }
}
