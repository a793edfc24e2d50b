import { createKey } from '../../src/accounts/keys.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import type { KeyScope } from '../../src/core/scopes.ts'
import type { Api } from './api.ts'

export type KeyState = 'good' | 'revoked' | 'expired'

/** A new key of the account. With the right to raise limits, also retries what others made. */
export async function tokenOf(api: Api, accountId: string, scope: KeyScope, state: KeyState): Promise<string> {
  const past = new Date(Date.now() - 1000)
  const expiresAt = state === 'expired' ? past : undefined
  const { keyId, token } = await createKey(api.db, { accountId, name: state, scope, expiresAt, mayRaiseLimits: true })
  if (state === 'revoked') await api.db.apiKey.update({ where: { id: keyId }, data: { revokedAt: past } })
  return token
}

/** Tokens that look like a valid key but are not. */
export function brokenTokens(good: string): Readonly<Record<string, string>> {
  const [, , id] = good.split('_')
  return {
    'there never was': `mt_live_${newId('key').slice('key_'.length)}_${randomText(43)}`,
    'has another secret': `mt_live_${id}_${randomText(43)}`,
    'has no secret': `mt_live_${id}_`,
    'is cut short': good.slice(0, -1),
    'goes on': `${good}a`,
    'is a connector token': good.replace('mt_live_', 'mt_con_'),
    'is two': `${good} ${good}`,
    'is hostile': "' OR 1=1 --",
  }
}
