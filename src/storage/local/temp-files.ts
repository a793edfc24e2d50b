import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { dayMs } from '../../core/durations.ts'
import { randomText } from '../../core/ids.ts'

/** Returns a new temporary path; creates nothing. */
export type TempPath = () => string

const namePattern = /^(?<host>.*)\.(?<pid>\d+)\.[a-zA-Z0-9]+$/
const abandonedAfterMs = dayMs

/** A folder for temporary files. Their names contain host and process, so that a start can remove files of dead processes. */
export function openTempFiles(directory: string): TempPath {
  mkdirSync(directory, { recursive: true })
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name)
    if (isAbandoned(file)) rmSync(file, { recursive: true, force: true })
  }
  return () => path.join(directory, `${hostname()}.${process.pid}.${randomText(24)}`)
}

function isAbandoned(file: string): boolean {
  const changedAt = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) return false
  const owner = namePattern.exec(path.basename(file))?.groups
  if (owner?.host !== hostname()) return changedAt < Date.now() - abandonedAfterMs
  const pid = Number(owner.pid)
  // In a container, every start can have the same process id.
  if (pid === process.pid) return changedAt < Date.now() - process.uptime() * 1000
  return !isProcessRunning(pid) || changedAt < Date.now() - abandonedAfterMs
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
