import { existsSync } from 'node:fs'
import path from 'node:path'

/** The path of a file of the installation, searched from this file upwards: sources and builds lie at different depths. */
export function installedFile(file: string): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const found = path.join(folder, file)
    if (existsSync(found)) return found
    if (folder === path.dirname(folder)) throw new Error(`${file} is not part of this installation`)
  }
}
