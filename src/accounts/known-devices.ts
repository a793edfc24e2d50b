import { createHmac } from 'node:crypto'
import { randomText } from '../core/ids.ts'
import { isSameSecret } from '../core/signing-secret.ts'

/** The cookie of a browser in which the owner of an address signed in. It gives no access. */
export const deviceCookie = 'media_timeline.device'

export interface KnownDevices {
  /** The cookie's value for a browser in which the address's owner has just signed in. */
  issue(email: string): string
  /** The id of the browser, if the value was issued to it for this address. */
  idOf(value: string, email: string): string | undefined
}

/** Signs with the first secret and accepts all, like sessions. */
export function createKnownDevices(secrets: readonly [string, ...string[]]): KnownDevices {
  const signed = (secret: string, id: string, email: string) =>
    `${id}.${createHmac('sha256', secret).update(`device/1\n${id}\n${email}`).digest('base64url')}`
  return {
    issue: (email) => signed(secrets[0], randomText(24), email),
    idOf: (value, email) => {
      const [id = ''] = value.split('.', 1)
      return secrets.some((secret) => isSameSecret(value, signed(secret, id, email))) ? id : undefined
    },
  }
}
