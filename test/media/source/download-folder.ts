import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type FetchSourceInput, fetchSource } from '../../../src/media/source/fetch-source.ts'
import { certificate } from './source-server.ts'

/** A new folder for every test of the file, and downloads into it. */
export function useDownloadFolder() {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'source-'))
  })
  afterEach(async () => rm(folder, { recursive: true }))

  return {
    files: () => readdir(folder),
    downloaded: () => readFile(path.join(folder, 'media')),

    /** Reads from a server of this test: its address and media.test, which is at that address, are opened. */
    fetchFrom: (url: string, options: Partial<FetchSourceInput> = {}) =>
      fetchSource({
        url: new URL(url),
        destination: path.join(folder, 'media'),
        maxBytes: 1_000_000,
        allowHosts: ['127.0.0.1', 'media.test'],
        signal: new AbortController().signal,
        resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        ...options,
      }),
  }
}
