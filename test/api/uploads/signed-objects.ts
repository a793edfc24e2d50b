import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { type ServedStorage, serveLocalStorage } from '../../storage/serve-local.ts'

/** Local storage behind the object routes for the tests of one file, and signed URLs for it. */
export function useSignedObjects() {
  let served: ServedStorage
  beforeAll(async () => {
    served = await serveLocalStorage()
  })
  afterAll(async () => served.close())

  const newKey = () => `uploads/${newId('upl')}`
  return {
    newKey,
    storage: () => served.storage,
    baseUrl: () => served.baseUrls[0],
    tempFiles: () => readdir(path.join(served.directory, '.temp')),

    async stored(body: string | Buffer): Promise<string> {
      const key = newKey()
      await served.storage.write(key, Readable.from([body]), 'video/mp4')
      return key
    },

    async putUrl(key: string, { maxBytes = 100, expiresInSeconds = 60 } = {}): Promise<string> {
      return (await served.storage.presignPut({ key, contentType: 'video/mp4', maxBytes, expiresInSeconds })).url
    },

    async getUrl(
      key: string,
      { contentType = 'video/mp4', fileName = 'clip.mp4', expiresInSeconds = 60 } = {},
    ): Promise<string> {
      return (await served.storage.presignGet({ key, contentType, fileName, expiresInSeconds })).url
    },

    put: (url: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
      fetch(url, {
        method: 'PUT',
        headers: { 'content-type': 'video/mp4', ...headers },
        body: body ?? null,
        duplex: 'half',
      }),
  }
}
