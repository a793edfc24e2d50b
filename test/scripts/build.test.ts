import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeBuild } from '../../scripts/build.ts'

it('a build says where it is, how large it is, and how to start it', async () => {
  const dist = await mkdtemp(path.join(tmpdir(), 'built-'))
  onTestFinished(() => rm(dist, { recursive: true }))
  await mkdir(path.join(dist, 'api'))
  await writeFile(path.join(dist, 'api', 'server.js'), 'x'.repeat(1024))
  await writeFile(path.join(dist, 'sbom.cdx.json'), 'x'.repeat(512))
  expect((await describeBuild(dist)).split('\n')).toEqual([
    `${dist}: 1.5 KiB in 2 files, with the dashboard, the workflows and sbom.cdx.json`,
    '  node dist/src/commands/setup.js  once before each release: migrations, and Temporal',
    '  node dist/api/server.js          the API',
    '  node dist/activities/worker.js   a worker',
    'In production, set NODE_ENV=production and the variables that docs/production.md describes; beside npm start, those of docs/operations.md.',
  ])
})
