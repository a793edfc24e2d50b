import { readdirSync, readFileSync } from 'node:fs'

// The processes of this machine below this one, as Linux shows them in /proc.

/** The processes of a stack that figures are about. */
type Service = 'api' | 'worker' | 'temporal' | 'postgres' | 'ffmpeg' | 'ffprobe' | 'tools'

/** By the command line, from sources or compiled. */
function serviceOf(commandLine: string): Service | undefined {
  const [program = ''] = commandLine.split('\0')
  const tool = /\/(ffprobe|ffmpeg)[^/]*$/.exec(program)?.[1]
  if (tool === 'ffprobe' || tool === 'ffmpeg') return tool
  if (/api\/server\.[jt]s/.test(commandLine)) return 'api'
  if (/activities\/worker\.[jt]s/.test(commandLine)) return 'worker'
  if (/temporal\0server/.test(commandLine)) return 'temporal'
  if (/postgres/.test(commandLine)) return 'postgres'
  return /launcher/.test(commandLine) ? 'tools' : undefined
}

/** Reads something of every process of a service below this one; it may end meanwhile. */
function readEach<Value>(readOne: (pid: number) => Value): { service: Service; value: Value }[] {
  return descendants(process.pid).flatMap((pid) => {
    try {
      const service = serviceOf(read(pid, 'cmdline'))
      return service ? [{ service, value: readOne(pid) }] : []
    } catch {
      return []
    }
  })
}

/** In the order of their start. */
export function processesOf(service: Service): number[] {
  return readEach((pid) => pid).flatMap((each) => (each.service === service ? [each.value] : []))
}

export function openFilesOfWorkers(): number {
  return readEach((pid) => readdirSync(`/proc/${pid}/fd`).length)
    .filter(({ service }) => service === 'worker')
    .reduce((sum, { value }) => sum + value, 0)
}

/** The CPU seconds that each service has used so far, with its children that ended. */
export function readCpuSeconds(): Map<string, number> {
  const used = new Map<string, number>()
  for (const { service, value } of readEach(cpuSecondsOf)) {
    const name = service.startsWith('ff') ? 'tools' : service
    used.set(name, (used.get(name) ?? 0) + value)
  }
  return used
}

const ticksPerSecond = 100

/** Of a process and of its children that ended: fields 14 to 17 of proc_pid_stat(5), after the name in parentheses. */
export function cpuSecondsOf(pid: number | 'self'): number {
  const stat = read(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** The most that one process of each service may use. */
export const mebibyteLimits = { api: 600, worker: 600, ffmpeg: 512, ffprobe: 512 } as const

export interface MemoryWatch {
  /** The most that one process of the service has used since the last `forget`, in MiB. */
  peak(service: Service): number
  forget(): void
  stop(): void
}

/** Watches the largest resident sets; reports each service once when a process passes its limit. */
export function watchMemory(report: (problem: string) => void = () => {}): MemoryWatch {
  const peaks = new Map<string, number>()
  const sample = () => {
    for (const { service, value } of readEach((pid) => numberIn(read(pid, 'status'), 'VmHWM') / 1024)) {
      const before = peaks.get(service) ?? 0
      peaks.set(service, Math.max(before, value))
      const limit = Object.entries(mebibyteLimits).find(([name]) => name === service)?.[1] ?? Infinity
      if (value > limit && before <= limit) report(`${service} used ${Math.round(value)} MiB of ${limit}`)
    }
  }
  const timer = setInterval(sample, 200)
  return {
    peak: (service) => Math.round(peaks.get(service) ?? 0),
    forget: () => peaks.clear(),
    stop: () => clearInterval(timer),
  }
}

/** The processes below a process. */
export function descendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), numberIn(read(Number(name), 'status'), 'PPid'))
    } catch {
      // The process has ended meanwhile.
    }
  }
  const family = [root]
  for (const member of family) {
    for (const [pid, parent] of parents) if (parent === member) family.push(pid)
  }
  return family.slice(1)
}

function numberIn(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}

function read(pid: number | 'self', file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8')
}
