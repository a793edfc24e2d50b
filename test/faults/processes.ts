import { readdirSync, readFileSync } from 'node:fs'

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly commandLine: readonly string[]
}

/** Every process of this machine that /proc shows. */
function allProcesses(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        // The name in parentheses can contain spaces.
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        return [{ pid: Number(name), parent: Number(parent), commandLine }]
      } catch {
        return []
      }
    })
}

/** Sends SIGKILL to a process and its descendants: PostgreSQL's children have their own process groups. */
export function endFamily(pid: number): void {
  const all = allProcesses()
  const family = [pid]
  for (const member of family) {
    family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid))
  }
  for (const member of family) endProcess(member)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** The ffmpeg and ffprobe processes that work on files below the folder. */
export function mediaProcessesIn(folder: string): number[] {
  return allProcesses()
    .filter(({ commandLine: [program = '', ...rest] }) => {
      return /\/ff(mpeg|probe)[^/]*$/.test(program) && rest.some((argument) => argument.includes(folder))
    })
    .map(({ pid }) => pid)
}
