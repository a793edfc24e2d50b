import { type BatchKind, createBatch } from '../../src/batches/batches.ts'
import { newId } from '../../src/core/ids.ts'
import type { Database } from '../../src/db/database.ts'

type GivenBatch = Partial<Parameters<typeof createBatch>[1]> & { readonly accountId: string; readonly kind?: BatchKind }

/** A batch or a directive of a silence detection, by its owner. Returns its id. */
export async function newBatch(db: Database, { accountId, kind = 'bat', ...given }: GivenBatch): Promise<string> {
  const credential = { accountId, keyId: null, scope: 'all', expiresAt: null }
  const { id } = await createBatch(db, {
    ...{ kind, credential, requestId: newId('req'), name: 'the archive', chain: 'audio/detect-silence', settings: {} },
    ...{ metadata: undefined, limitMicroUsd: 20_000n, capMicroUsd: 1_000_000n },
    ...(kind === 'dir' ? { match: { fileNames: '*', metadata: {} } } : { mediaUrls: ['https://media.example/1.mp4'] }),
    ...given,
  })
  return id
}
