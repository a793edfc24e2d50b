import { ServiceError } from '../../src/core/errors.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import type { Credential } from '../../src/store/credentials.ts'

/** Throws `connector_scope_denied` unless the scope is `all`: others give no access to the account itself (keys, limits, usage, notices). */
export function assertAccountScope({ scope }: Pick<Credential, 'scope'>): void {
  if (scope === 'all') return
  throw new ServiceError(
    'connector_scope_denied',
    'This credential does not give access to the account. Use one with the scope all.',
  )
}

/** Throws `connector_scope_denied` if the scope does not cover the endpoint. */
export function assertScope({ scope }: Credential, endpointId: string): void {
  if (coversEndpoint(scope, endpointId)) return
  throw new ServiceError(
    'connector_scope_denied',
    `This credential covers ${scope}, and not ${endpointId}. Use one with a wider scope, such as all.`,
  )
}
