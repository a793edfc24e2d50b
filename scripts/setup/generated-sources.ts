import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '../stack/run-to-end.ts'
import { lock } from './lock.mjs'
import type { Say } from './tool-cache.ts'

interface GeneratedSource {
  readonly name: string
  readonly folder: string
  /** It is made again when one of these files has changed. */
  readonly from: readonly string[]
  /** The script of a package, with its arguments. */
  readonly command: readonly string[]
}

const sources: readonly GeneratedSource[] = [
  {
    name: 'the database client',
    folder: 'src/db/generated',
    from: ['prisma/schema.prisma', 'node_modules/prisma/package.json'],
    command: ['node_modules/prisma/build/index.js', 'generate'],
  },
  {
    name: "the types of the dashboard's requests",
    folder: 'web/src/api/generated',
    from: ['docs/openapi.json', 'node_modules/openapi-typescript/package.json'],
    command: [
      ...['node_modules/openapi-typescript/bin/cli.js', 'docs/openapi.json', '--empty-objects-unknown'],
      ...['--output', 'web/src/api/generated/schema.d.ts'],
    ],
  },
]

/** Makes the sources that are not checked in, if what they are made from has changed since the last time. */
export async function generateSources(root: string, say: Say): Promise<void> {
  const stale = () => sources.filter((source) => !isCurrent(root, source))
  if (stale().length === 0) return
  const release = await lock(path.join(root, '.tools', 'setup.lock'), (holder) => {
    say(`waiting for the set-up of process ${holder}`)
  })
  try {
    for (const source of stale()) {
      say(`generating ${source.name}`)
      await runToEnd([process.execPath, ...source.command], {
        cwd: root,
        // The database client needs no engine; without this, Prisma would download one.
        env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
      })
      writeFileSync(markerOf(root, source), fingerprint(root, source))
    }
  } finally {
    release()
  }
}

function isCurrent(root: string, source: GeneratedSource): boolean {
  const marker = markerOf(root, source)
  return existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint(root, source)
}

function markerOf(root: string, { folder }: GeneratedSource): string {
  return path.join(root, folder, '.made-from')
}

function fingerprint(root: string, { from }: GeneratedSource): string {
  const hash = createHash('sha256')
  for (const file of from) hash.update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}
