import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readToolOutput } from './spawn.ts'

// A running process is recorded as an empty file named by its identity, so that the next worker can end it after a crash.

/** Records a running process; returns a function that removes the record. */
export async function recordProcess(processDir: string, pid: number): Promise<() => Promise<void>> {
  const identity = await findIdentity(pid)
  // It has ended already.
  if (!identity) return async () => {}
  const record = path.join(processDir, identity)
  await mkdir(processDir, { recursive: true })
  await writeFile(record, '')
  return () => rm(record, { force: true })
}

/** Ends the recorded processes that still run, waits for their exit, and returns their number. */
export async function endOrphans(processDir: string): Promise<number> {
  const identities = await readdir(processDir).catch(() => [])
  const ended = await Promise.all(
    identities.map(async (identity) => {
      const running = await isRunning(identity)
      if (running) await endProcess(identity)
      await rm(path.join(processDir, identity), { force: true })
      return running
    }),
  )
  return ended.filter(Boolean).length
}

async function endProcess(identity: string): Promise<void> {
  try {
    process.kill(pidOf(identity), 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
  const giveUpAt = Date.now() + 5_000
  while ((await isRunning(identity)) && Date.now() < giveUpAt) await delay(10)
}

/** Process id and start time, as `pid-start`: a later process with the same id does not match. */
export async function processIdentity(pid: number): Promise<string> {
  const identity = await findIdentity(pid)
  if (!identity) throw new Error(`process ${pid} does not exist`)
  return identity
}

export async function isRunning(identity: string): Promise<boolean> {
  return (await findIdentity(pidOf(identity))) === identity
}

/** NaN if the text is not an identity. */
function pidOf(identity: string): number {
  return /^\d+-\d+$/.test(identity) ? Number.parseInt(identity, 10) : Number.NaN
}

async function findIdentity(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const start = process.platform === 'linux' ? await startOnLinux(pid) : await startFromPs(pid)
  return start === undefined ? undefined : `${pid}-${start}`
}

/** Clock ticks from boot to the start of the process (proc(5), field 22). */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name in parentheses can contain spaces and parentheses, so fields count from the last one: state is the third.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' || state === 'X' ? undefined : fields[18]
}

async function startFromPs(pid: number): Promise<string | undefined> {
  const output = await readToolOutput('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => '')
  const started = Date.parse(output.trim())
  return Number.isNaN(started) ? undefined : String(started)
}
