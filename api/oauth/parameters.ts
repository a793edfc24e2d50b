import { z } from 'zod'
import { OAuthError } from '../../src/accounts/oauth-error.ts'
import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import type { App } from '../http/context.ts'
import { readForms } from '../http/forms.ts'

/** Room for the authorization request twice: as a form field, and percent-encoded. */
const maxFormBytes = 24 * 1024
/** An authorization request: state and redirect address can be long. */
export const maxQueryLength = 6 * 1024

/** Fields by name. A repeated one is refused, and an empty one counts as left out (RFC 6749, 3.1). */
export type Parameters = ReadonlyMap<string, string>

export function parametersOf(text: string): Parameters {
  const parameters = new Map<string, string>()
  const names = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (names.has(name)) throw new OAuthError('invalid_request', `${printable(name)} is given twice.`)
    names.add(name)
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

/** Reads the bodies of `app`, which are forms only, as `Parameters`. */
export function readParameters(app: App): void {
  app.removeAllContentTypeParsers()
  readForms(app, maxFormBytes, parametersOf)
}

const form = z.instanceof(Map<string, string>)

/** The form of a request. Throws `invalid_request` for a request without one. */
export function formOf(body: unknown): Parameters {
  const parsed = form.safeParse(body)
  if (parsed.success) return parsed.data
  throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
}

export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** The endpoint for agents under both addresses. Tokens are valid under each, whichever a client names (RFC 8707). */
export function assertResource(config: BaseAddresses, resource: string | undefined): void {
  if (resource === undefined || basesOf(config).some((base) => resource === `${base}/mcp`)) return
  throw new OAuthError('invalid_target', `The resource is ${config.BASE_URL}/mcp.`)
}

/** The characters that an error_description may have, for text of the caller's. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\w.-]/g, '_')
}
