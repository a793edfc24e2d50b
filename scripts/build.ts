import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from './main.ts'
import { compileServices } from './stack/compiled-services.ts'
import { makeSbom } from './supply-chain/sbom.ts'

/** Compiles to dist/, with the workflow bundle and the bill of materials, for production. */
export const buildCommand: Command = async ({ root }) => {
  const dist = path.join(root, 'dist')
  await compileServices(root, dist, { sourcemap: true })
  await writeFile(path.join(dist, 'sbom.cdx.json'), JSON.stringify(await makeSbom(root), null, 2))
  return 0
}
