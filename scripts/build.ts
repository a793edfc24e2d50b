import { readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { counted, describeBytes } from '../src/core/text.ts'
import type { Command } from './main.ts'
import { compileServices } from './stack/compiled-services.ts'
import { makeSbom } from './supply-chain/sbom.ts'

/** What runs in production, in the order in which it is started. */
const programs = [
  { file: 'src/commands/setup.js', what: 'once before each release: migrations, and Temporal' },
  { file: 'api/server.js', what: 'the API' },
  { file: 'activities/worker.js', what: 'a worker' },
] as const

/** Compiles to dist/, with the workflow bundle and the bill of materials, for production. */
export const buildCommand: Command = async ({ root }) => {
  const dist = path.join(root, 'dist')
  await compileServices(root, dist, { sourcemap: true })
  await writeFile(path.join(dist, 'sbom.cdx.json'), JSON.stringify(await makeSbom(root), null, 2))
  console.log(await describeBuild(dist))
  return 0
}

/** What was built, where, how large it is, and how to start it. */
export async function describeBuild(dist: string): Promise<string> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const commands = programs.map(({ file, what }) => ({ command: `node dist/${file}`, what }))
  const width = Math.max(...commands.map(({ command }) => command.length))
  return [
    `${dist}: ${describeBytes(bytes)} in ${counted(files.length, 'file')}, with the dashboard, the workflows and sbom.cdx.json`,
    ...commands.map(({ command, what }) => `  ${command.padEnd(width)}  ${what}`),
    'In production, set NODE_ENV=production and the variables that docs/production.md describes; beside npm start, those of docs/operations.md.',
  ].join('\n')
}
