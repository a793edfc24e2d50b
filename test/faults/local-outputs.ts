import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** The keys of outputs in local storage, where an object is a folder named `<key>~`. */
export async function localOutputKeys(dataDir: string): Promise<string[]> {
  const objects = path.join(dataDir, 'objects')
  const entries = await readdir(path.join(objects, 'outputs'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.endsWith('~'))
    .map((entry) => path.relative(objects, path.join(entry.parentPath, entry.name)).slice(0, -1))
}
