import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessSample {
  readonly residentMiB: number
  readonly openFiles: number
  readonly threads: number
}

/** The current resource use of this process's descendants, by the name that `nameOf` returns for a command line. Linux only. */
export function sampleProcesses(nameOf: (commandLine: string) => string | undefined): Map<string, ProcessSample> {
  const samples = new Map<string, ProcessSample>()
  for (const pid of descendants(process.pid)) {
    try {
      const name = nameOf(read(pid, 'cmdline').replaceAll('\0', ' '))
      if (!name) continue
      const before = samples.get(name) ?? { residentMiB: 0, openFiles: 0, threads: 0 }
      samples.set(name, add(before, sample(pid)))
    } catch {
      // The process has ended meanwhile.
    }
  }
  return samples
}

/** The peak resident set of the descendants that `nameOf` names by their arguments, the program first, in MiB. */
export function readPeaks(
  nameOf: (program: string, args: readonly string[]) => string | undefined,
): Map<string, number> {
  const peaks = new Map<string, number>()
  for (const pid of descendants(process.pid)) {
    try {
      const [program = '', ...args] = read(pid, 'cmdline').split('\0')
      const name = nameOf(program, args)
      if (name) peaks.set(name, Math.max(peaks.get(name) ?? 0, numberIn(read(pid, 'status'), 'VmHWM') / 1024))
    } catch {
      // The process has ended meanwhile.
    }
  }
  return peaks
}

/** The services of a stack by their command lines, from sources or compiled. */
export function serviceOf(commandLine: string): string | undefined {
  if (/api\/server\.[jt]s/.test(commandLine)) return 'api'
  if (/activities\/worker\.[jt]s/.test(commandLine)) return 'worker'
  if (/temporal server/.test(commandLine)) return 'temporal'
  if (/postgres/.test(commandLine)) return 'postgres'
  if (/launcher|ff(mpeg|probe)/.test(commandLine)) return 'tools'
  return undefined
}

const ticksPerSecond = 100

/** The CPU seconds that the services among the descendants have used so far, each with its children that ended. */
export function readCpuSeconds(): Map<string, number> {
  const used = new Map<string, number>()
  for (const pid of descendants(process.pid)) {
    try {
      const name = serviceOf(read(pid, 'cmdline').replaceAll('\0', ' '))
      if (name) used.set(name, (used.get(name) ?? 0) + cpuSecondsOf(pid))
    } catch {
      // The process has ended meanwhile.
    }
  }
  return used
}

/** Of a process and of its children that ended: fields 14 to 17 of proc_pid_stat(5), after the name in parentheses. */
export function cpuSecondsOf(pid: number | 'self'): number {
  const stat = read(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

function sample(pid: number): ProcessSample {
  const status = read(pid, 'status')
  return {
    residentMiB: numberIn(status, 'VmRSS') / 1024,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberIn(status, 'Threads'),
  }
}

function add(a: ProcessSample, b: ProcessSample): ProcessSample {
  return {
    residentMiB: a.residentMiB + b.residentMiB,
    openFiles: a.openFiles + b.openFiles,
    threads: a.threads + b.threads,
  }
}

/** The descendants of this process whose command line fits, in the order of their start. */
export function familyOf(fits: (commandLine: string) => boolean): number[] {
  return descendants(process.pid).filter((pid) => {
    try {
      return fits(read(pid, 'cmdline').replaceAll('\0', ' '))
    } catch {
      // The process has ended meanwhile.
      return false
    }
  })
}

/** The processes below a process, of this machine. */
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
