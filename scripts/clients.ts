import { cp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { z } from 'zod'
import type { Command } from './main.ts'
import { runToEnd } from './stack/run-to-end.ts'

/** Builds the package of the TypeScript client and of the command, for `npm pack`, in dist/clients/typescript. */
export const clientsCommand: Command = async ({ root }) => {
  const folder = path.join(root, 'dist', 'clients', 'typescript')
  await rm(folder, { recursive: true, force: true })
  await buildTypescriptClient(root, folder)
  console.log(`${folder}: the package media-timeline. npm pack there makes its file.`)
  return 0
}

/** The library as modules with types, and the command as one file. */
export async function buildTypescriptClient(root: string, folder: string): Promise<void> {
  const source = path.join(root, 'clients', 'typescript')
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8')))
  const dist = path.join(folder, 'dist')
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await runToEnd([process.execPath, tsc, '-p', path.join(source, 'tsconfig.build.json'), '--outDir', dist], {
    cwd: root,
    env: process.env,
  })
  await build({
    entryPoints: [path.join(source, 'src', 'cli', 'main.ts')],
    outfile: path.join(dist, 'media-timeline.js'),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', minify: true, legalComments: 'inline' },
    define: { __VERSION__: JSON.stringify(version) },
    // commander is CommonJS, which asks for Node's modules by require.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  })
  for (const file of ['package.json', 'README.md']) await cp(path.join(source, file), path.join(folder, file))
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
}
