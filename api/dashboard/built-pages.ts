import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BuiltAsset, BuiltPages } from '../http/context.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Undefined if nothing was built: a service that runs from its sources has no dashboard. */
export async function readBuiltPages(folder: string): Promise<BuiltPages | undefined> {
  const index = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (index === undefined) return undefined
  const assetsFolder = path.join(folder, 'assets')
  const names = await readdir(assetsFolder)
  const assets = await Promise.all(names.map(async (name) => [name, await readAsset(assetsFolder, name)] as const))
  return { index, assets: new Map(assets) }
}

async function readAsset(folder: string, name: string): Promise<BuiltAsset> {
  const type = types[path.extname(name)]
  if (!type) throw new Error(`the dashboard has a file of an unknown type: ${name}`)
  const content = await readFile(path.join(folder, name))
  return { type, content, gzipped: await promisify(gzip)(content) }
}
