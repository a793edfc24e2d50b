import { randomInt } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const idLength = 24

// biome-ignore format: a list
export type IdPrefix =
  | 'req' | 'job' | 'upl' | 'out' | 'ana' | 'key' | 'acct' | 'led' | 'ntc' | 'prb' | 'wait'
  /** User, session, sign-in method, verification. */
  | 'usr' | 'ses' | 'sim' | 'ver'

/** `prefix_` and 24 random characters of `[a-zA-Z0-9]`: 142 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(idLength)}`
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

export function isId(prefix: IdPrefix, value: string): boolean {
  return new RegExp(`^${prefix}_[a-zA-Z0-9]{1,64}$`).test(value)
}
