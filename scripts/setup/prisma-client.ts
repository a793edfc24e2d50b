import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '../stack/run-to-end.ts'
import { lock } from './lock.mjs'
import type { Say } from './tool-cache.ts'

/** Generates the database client if schema.prisma or Prisma has changed since the last time. */
export async function generatePrismaClient(root: string, say: Say): Promise<void> {
  const marker = path.join(root, 'src', 'db', 'generated', '.made-from')
  const wanted = fingerprint(root)
  const isCurrent = () => existsSync(marker) && readFileSync(marker, 'utf8') === wanted
  if (isCurrent()) return
  const release = await lock(path.join(root, '.tools', 'setup.lock'), (holder) => {
    say(`waiting for the set-up of process ${holder}`)
  })
  try {
    if (isCurrent()) return
    say('generating the database client')
    await runToEnd([process.execPath, path.join(root, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
      cwd: root,
      // The client needs no engine; without this, Prisma would download one.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' },
    })
    writeFileSync(marker, wanted)
  } finally {
    release()
  }
}

function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const file of ['prisma/schema.prisma', 'node_modules/prisma/package.json']) {
    hash.update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}
