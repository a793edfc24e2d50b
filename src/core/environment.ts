import { z } from 'zod'
import { weaknessOf } from './signing-secret.ts'

// Values of environment variables. Messages complete a line that begins with the variable's name.

export const choice = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
  const error = `must be a whole number ${range}`
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address, such as http://127.0.0.1:3000' })

const databaseForm = 'such as postgresql://user:password@host:5432/name'
export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: ({ input }) => (input === undefined ? `is required, ${databaseForm}` : `must be an address, ${databaseForm}`),
})

export const flag = choice('true', 'false').transform((value) => value === 'true')
export const port = whole(0, 65_535)
export const count = whole(1)
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const addressForm = 'must be host:port, such as 127.0.0.1:9464'
/** `host:port`, `[::1]:port`. */
export const address = z
  .string()
  .regex(/^(\[[\da-f:.]+\]|[\w.-]+):\d+$/i, addressForm)
  .transform((value) => {
    const colon = value.lastIndexOf(':')
    return { host: value.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(value.slice(colon + 1)) }
  })
  .refine((parsed) => parsed.port <= 65_535, addressForm)

export const makeSecret = 'make one with: openssl rand -hex 32'
export const secret = z.string().refine((text) => !weaknessOf(text), {
  error: ({ input }) => `${weaknessOf(String(input))}; ${makeSecret}`,
})
export const keyId = z.string().regex(/^[a-zA-Z0-9]{1,16}$/, 'must be 1 to 16 letters or digits')
/** `id:secret` */
export const otherSecret = z.string().transform((text, { issues }) => {
  const [, id, value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const problem = otherSecretProblem(id, value)
  if (problem) issues.push({ code: 'custom', input: undefined, message: problem })
  return { keyId: id ?? '', secret: value }
})

function otherSecretProblem(id: string | undefined, value: string): string | undefined {
  if (!keyId.safeParse(id).success) return `must be the id and the secret, as id:secret; ${makeSecret}`
  // It would be part of the secret, which then verifies nothing.
  if (/^\s/.test(value)) return 'must have no space after the colon, as id:secret'
  const weakness = weaknessOf(value)
  return weakness && `${weakness}; ${makeSecret}`
}
