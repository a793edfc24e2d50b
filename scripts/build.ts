import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from './main.ts'
import { runToEnd } from './stack/run-to-end.ts'
import { copyLauncher } from './stack/services.ts'
import { makeSbom } from './supply-chain/sbom.ts'

/** Compiles to dist/, with the workflow bundle and the bill of materials, for production. */
export const buildCommand: Command = async ({ root }) => {
  const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
  console.log(await runToEnd([bin('tsc'), '-p', 'tsconfig.build.json'], { cwd: root }))
  await copyLauncher(root, path.join(root, 'dist'))
  console.log(await runToEnd([process.execPath, '--import', 'tsx', 'scripts/build-workflows.ts'], { cwd: root }))
  await writeFile(path.join(root, 'dist', 'sbom.cdx.json'), JSON.stringify(await makeSbom(root), null, 2))
  return 0
}
