import { createHmac } from 'node:crypto'
import type { Config } from '../../config.ts'
import { isSameSecret } from '../../core/signing-secret.ts'
import type { BillingProvider } from './provider.ts'

const linkSeconds = 3600

/** The contents of a link whose signature and expiry were checked. */
export interface EmbeddedLink {
  readonly accountId: string
}

export interface EmbeddedProvider extends BillingProvider {
  /** Undefined for a token that was changed or has expired. */
  readLink(token: string): EmbeddedLink | undefined
}

/** A stand-in for development: its links lead to a page of this service, and no money moves. */
export function embeddedProvider({
  BASE_URL,
  SIGNING_SECRET,
}: Pick<Config, 'BASE_URL' | 'SIGNING_SECRET'>): EmbeddedProvider {
  const sign = (text: string) =>
    createHmac('sha256', SIGNING_SECRET).update(`billing-link/1\n${text}`).digest('base64url')
  return {
    createLink: async (accountId) => {
      const text = `${accountId}.${Math.floor(Date.now() / 1000) + linkSeconds}`
      return { url: `${BASE_URL}/billing/${text}.${sign(text)}`, expiresInSeconds: linkSeconds }
    },
    readLink: (token) => {
      const [accountId = '', expires = '', signature = ''] = token.split('.')
      if (!isSameSecret(signature, sign(`${accountId}.${expires}`)) || Number(expires) * 1000 <= Date.now())
        return undefined
      return { accountId }
    },
  }
}
