import { createHash, randomInt } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const idLength = 24

// biome-ignore format: a list
export type IdPrefix =
  | 'req' | 'job' | 'upl' | 'out' | 'ana' | 'key' | 'con' | 'acct' | 'led' | 'ntc' | 'prb' | 'wait' | 'run'
  /** User, session, sign-in method, verification, OAuth grant. */
  | 'usr' | 'ses' | 'sim' | 'ver' | 'grt'
  | 'inv' | 'end' | 'evt' | 'whe' | 'whc' | 'shr' | 'brd'
  /** Batch, directive: each is the key of its runs. */
  | 'bat' | 'dir'

/** `prefix_` and 24 random characters of `[a-zA-Z0-9]`: 142 bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(idLength)}`
}

/** An id of the same form, derived from the parts: equal parts always give the same id. */
export function derivedId(prefix: IdPrefix, ...parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(parts.join('/')).digest()
  return `${prefix}_${Array.from(digest.subarray(0, idLength), (byte) => alphabet[byte % alphabet.length]).join('')}`
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

type Prefixes = readonly [IdPrefix, ...IdPrefix[]]

/** The form of ids with these prefixes, as documents state it. */
export function idPattern(...prefixes: Prefixes): RegExp {
  return patternOf(prefixes, '+')
}

/** The same, with at most 64 characters after the prefix: ids that callers send. */
export function sentIdPattern(...prefixes: Prefixes): RegExp {
  return patternOf(prefixes, '{1,64}')
}

function patternOf(prefixes: Prefixes, length: string): RegExp {
  const [first, ...others] = prefixes
  const prefix = others.length > 0 ? `(${prefixes.join('|')})` : first
  return new RegExp(`^${prefix}_[a-zA-Z0-9]${length}$`)
}

export function isId(prefix: IdPrefix, value: string): boolean {
  return sentIdPattern(prefix).test(value)
}
