import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning, pidOf, processIdentity } from './process-identity.ts'

/** Notes a running process as an empty file named by its identity; returns what takes the note away. */
export async function noteProcess(processDir: string, pid: number): Promise<() => Promise<void>> {
  const identity = await processIdentity(pid).catch(() => undefined)
  // It has ended already.
  if (!identity) return async () => {}
  const note = path.join(processDir, identity)
  await mkdir(processDir, { recursive: true })
  await writeFile(note, '')
  return () => rm(note, { force: true })
}

/** Ends the noted processes that still run, waits until they are gone, and returns how many there were. */
export async function endOrphans(processDir: string): Promise<number> {
  const notes = await readdir(processDir).catch(() => [])
  const ended = await Promise.all(
    notes.map(async (identity) => {
      const running = await isRunning(identity)
      if (running) await end(identity)
      await rm(path.join(processDir, identity), { force: true })
      return running
    }),
  )
  return ended.filter(Boolean).length
}

async function end(identity: string): Promise<void> {
  try {
    process.kill(pidOf(identity), 'SIGKILL')
  } catch {
    // It ended in between.
  }
  const giveUpAt = Date.now() + 5_000
  while ((await isRunning(identity)) && Date.now() < giveUpAt) await delay(10)
}
