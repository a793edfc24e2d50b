import { setTimeout as sleep } from 'node:timers/promises'
import { reachDatabase } from '../../src/db/database.ts'
import type { Context } from '../main.ts'
import { tryLock } from '../setup/lock.mjs'
import { startDataDirPostgres } from './stack.ts'
import { readStackFile, stackLockIn } from './stack-file.ts'
import { withSupervisor } from './supervised.ts'

/**
 * Calls `use` with the first of: DATABASE_DIRECT_URL, DATABASE_URL, the database of the running stack, an embedded Postgres
 * started for this call. Returns the exit code.
 */
export async function withDatabase(context: Context, use: (url: string) => Promise<number>): Promise<number> {
  const { env, dataDir, say } = context
  for (const variable of ['DATABASE_DIRECT_URL', 'DATABASE_URL']) {
    const url = env[variable]
    if (!url) continue
    await reachDatabase({ [variable]: url })
    return use(url)
  }
  for (let isReported = false; ; isReported = true) {
    const { release, holder } = tryLock(stackLockIn(dataDir))
    if (release) {
      try {
        return await withSupervisor(dataDir, say, async (supervisor) => {
          const { url } = await startDataDirPostgres(context, supervisor)
          return use(url)
        })
      } finally {
        release()
      }
    }
    const running = readStackFile(dataDir, holder)
    if (running) return use(running.databaseUrl)
    if (!isReported) say(`waiting for process ${holder}, which is starting or stopping`)
    await sleep(200)
  }
}
