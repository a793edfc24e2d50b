import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

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
export function pidOf(identity: string): number {
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
  const ps = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  })
  const started = await ps.then(({ stdout }) => Date.parse(stdout.trim())).catch(() => Number.NaN)
  return Number.isNaN(started) ? undefined : String(started)
}
