import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { lock } from './lock.mjs'

export type Say = (message: string) => void

export const platform = `${process.platform}-${process.arch}`

interface Fetch {
  readonly cacheDir: string
  /** Of the folder, with the version. */
  readonly name: string
  readonly say: Say
  /** Works in the given empty folder, and gives the one in it that is kept. */
  readonly fill: (scratch: string) => Promise<string>
}

/**
 * A folder of the cache, filled when it is not there yet. Undefined where that cannot be done, and then `say` has told why.
 * Set-ups that run at the same time wait for each other.
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
