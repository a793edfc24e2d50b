import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { objectRoutes } from '../../api/uploads/objects.ts'
import type { UploadClaims } from '../../api/uploads/register.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { createSigner, type Signer } from '../../src/storage/signing.ts'
import type { OpenedStorage } from './contract.ts'

export interface ServedStorage extends OpenedStorage {
  readonly directory: string
  readonly baseUrls: readonly [string, ...string[]]
  readonly signer: Signer
}

/** Local storage in a new folder, with the object routes on a free port. */
export async function serveLocalStorage(): Promise<ServedStorage> {
  const directory = await mkdtemp(path.join(tmpdir(), 'storage-'))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrls: [string] = [`http://127.0.0.1:${portOf(server.address())}`]
  const signer = createSigner({ keyId: 'k1', secret: 'a secret of the tests, 32 characters' })
  const storage = openLocalStorage({ directory, baseUrls, signer })

  const app = fastify()
  app.setErrorHandler(async (error, _request, reply) => {
    const known = error instanceof ServiceError
    return reply
      .code(known ? error.httpStatus : 500)
      .send({ code: known ? error.code : 'unknown', message: String(error) })
  })
  await app.register(objectRoutes, { storage, signer, claims: claimsInMemory() })
  await app.ready()
  server.on('request', app.routing)

  return {
    storage,
    directory,
    baseUrls,
    signer,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** Claims of one process, for tests without a database. */
function claimsInMemory(): UploadClaims {
  const claimed = new Set<string>()
  return {
    claim: async (key) => {
      if (claimed.has(key)) throw new ServiceError('conflict')
      claimed.add(key)
      return { session: 1, arrived: async () => {}, release: async () => void claimed.delete(key) }
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  return address.port
}
