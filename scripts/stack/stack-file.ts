import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const addresses = z.object({
  /** The supervisor's process id. */
  pid: z.number().int(),
  apiUrl: z.string(),
  /** Absent if the stack did not start the server. */
  temporalUiUrl: z.string().optional(),
  temporalAddress: z.string(),
  databaseUrl: z.string(),
})

/** The addresses of a running stack. */
export type StackAddresses = Readonly<z.output<typeof addresses>>

/** `DATA_DIR/stack.lock`, which the process that runs the stack holds. */
export function stackLockIn(dataDir: string): string {
  return path.join(dataDir, 'stack.lock')
}

/** Writes `DATA_DIR/stack.json`, readable only for this user: it contains the database's password. */
export function writeStackFile(dataDir: string, contents: StackAddresses): void {
  const draft = path.join(dataDir, `stack.json.${process.pid}`)
  writeFileSync(draft, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path.join(dataDir, 'stack.json'))
}

export function removeStackFile(dataDir: string): void {
  rmSync(path.join(dataDir, 'stack.json'), { force: true })
}

/** The addresses that the stack of process `pid` wrote; undefined before it is ready. */
export function readStackFile(dataDir: string, pid: number): StackAddresses | undefined {
  try {
    const { success, data } = addresses.safeParse(JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')))
    // A file with another pid is from a killed stack.
    return success && data.pid === pid ? data : undefined
  } catch {
    return undefined
  }
}
