/** What a key may be for: everything, or the endpoints of one group and the jobs that it made with them. */
export const keyScopes = ['all', 'video/*', 'audio/*', 'timeline/*'] as const

export type KeyScope = (typeof keyScopes)[number]

/** What the ids of the scope's endpoints begin with. */
export function endpointPrefix(scope: string): string {
  if (scope === 'all') return ''
  if (!scope.endsWith('/*')) throw new TypeError(`${scope} is no scope`)
  return scope.slice(0, -1)
}

export function coversEndpoint(scope: string, endpointId: string): boolean {
  return endpointId.startsWith(endpointPrefix(scope))
}
