/** The scopes of keys: everything, or the endpoints and jobs of one group. */
export const keyScopes = ['all', 'video/*', 'audio/*', 'timeline/*'] as const

export type KeyScope = (typeof keyScopes)[number]

/** The prefix of the ids of the scope's endpoints. */
export function endpointPrefix(scope: string): string {
  if (scope === 'all') return ''
  if (!scope.endsWith('/*')) throw new TypeError(`${scope} is no scope`)
  return scope.slice(0, -1)
}

export function coversEndpoint(scope: string, endpointId: string): boolean {
  return endpointId.startsWith(endpointPrefix(scope))
}
