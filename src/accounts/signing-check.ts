import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningConfig } from '../core/signing-secret.ts'
import type { Database } from '../store/database.ts'

/** The only row. */
const id = 1

/** Records the secret that the service signs with, as a keyed hash. Every API calls it before it listens. */
export async function recordSigningSecret(db: Database, config: SigningConfig): Promise<void> {
  const hash = checkOf(config)
  await db.signingCheck.upsert({ where: { id }, create: { id, hash }, update: { hash } })
}

/**
 * Throws unless the service signs with the secret of this process: the service would not find mailboxes that are hashed with
 * another one. Before an API has started on the database, it compares with nothing.
 */
export async function assertSigningSecret(db: Database, config: SigningConfig): Promise<void> {
  const service = await db.signingCheck.findUnique({ where: { id } })
  if (!service || isSameSecret(service.hash, checkOf(config))) return
  throw new Error(
    'SIGNING_SECRET: is not the secret that the service signs with, so the service would not find the mailbox. Nothing was changed. Run the command with the SIGNING_SECRET of the API',
  )
}

function checkOf({ SIGNING_SECRET: secret }: SigningConfig): string {
  return createHmac('sha256', secret).update('signing-check/1').digest('base64url')
}
