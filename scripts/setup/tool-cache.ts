import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lock } from './lock.mjs'

export type Say = (message: string) => void

export const platform = `${process.platform}-${process.arch}`

interface Fetch {
  readonly cacheDir: string
  /** The folder's name, with the version. */
  readonly name: string
  readonly say: Say
  /** Works in the given empty folder, and returns the subfolder to keep. */
  readonly fill: (scratch: string) => Promise<string>
}

/**
 * A folder of the cache, filled if it does not exist. Undefined if that fails; `say` then reports the reason.
 * Simultaneous set-ups wait for each other.
 */
export async function cachedFolder({ cacheDir, name, say, fill }: Fetch): Promise<string | undefined> {
  const folder = path.join(cacheDir, `${name}-${platform}`)
  if (existsSync(folder)) return folder
  const release = await lock(path.join(cacheDir, 'lock'), (holder) =>
    say(`waiting for the set-up of process ${holder}`),
  )
  const scratch = path.join(cacheDir, 'download')
  try {
    if (existsSync(folder)) return folder
    rmSync(scratch, { recursive: true, force: true })
    mkdirSync(scratch)
    renameSync(await fill(scratch), folder)
    rmSync(scratch, { recursive: true, force: true })
    return folder
  } catch (error) {
    say(`${name} could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  } finally {
    release()
  }
}
