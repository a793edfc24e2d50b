import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { connectUrl } from '../../../src/media/source/connect-url.ts'
import { type RangedSource, rangedSource } from '../../../src/media/source/ranged-source.ts'
import { openSourceServer } from '../../../src/media/source/source-server.ts'
import { never } from '../measure.ts'
import { type RangedOptions, rangedServer } from './ranged-server.ts'
import { serveHttp } from './source-server.ts'

const access = { allowHosts: ['127.0.0.1'], maxBytes: 2e9 }

/** A file as a job reads it from a URL: in ranges. Until the running test is over. */
export async function fetchedSource(file: string, options?: RangedOptions) {
  const origin = rangedServer(await readFile(file), options)
  const url = new URL(`http://127.0.0.1:${await serveHttp(origin.listener)}/film.mp4`)
  const ranges = await connectUrl(url, access, never)
  if ('save' in ranges) throw new Error('no ranges')
  const folder = await mkdtemp(path.join(tmpdir(), 'fetched '))
  const server = await openSourceServer()
  const sparse = path.join(folder, 'sparse')
  const media: RangedSource = await rangedSource(ranges, { path: sparse, claimKeys: ['account a'] }, server)
  onTestFinished(async () => {
    await media.close()
    await server.close()
    await rm(folder, { recursive: true })
  })
  return { media, origin, sparse }
}
