import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readToolOutput } from './spawn.ts'

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

/** Process id and start time, as `pid-start`: a number that came round to another process does not match. */
export async function processIdentity(pid: number): Promise<string> {
  const identity = await identify(pid)
  if (!identity) throw new Error(`there is no process ${pid}`)
  return identity
}

export async function isRunning(identity: string): Promise<boolean> {
  return (await identify(pidOf(identity))) === identity
}

/** NaN where the text is no identity. */
function pidOf(identity: string): number {
  return /^\d+-\d+$/.test(identity) ? Number.parseInt(identity, 10) : Number.NaN
}

async function identify(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const start = process.platform === 'linux' ? await startOnLinux(pid) : await startFromPs(pid)
  return start === undefined ? undefined : `${pid}-${start}`
}

/** Clock ticks from boot to the start of the process (proc(5), field 22). */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name in parentheses may hold spaces and parentheses, so fields count from the last one: state is the third.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' || state === 'X' ? undefined : fields[18]
}

async function startFromPs(pid: number): Promise<string | undefined> {
  const output = await readToolOutput('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => '')
  const started = Date.parse(output.trim())
  return Number.isNaN(started) ? undefined : String(started)
}
