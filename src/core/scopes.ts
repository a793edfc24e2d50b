/** The groups of endpoints, with which their ids begin. Scopes of keys, tags of documents and the words for both follow. */
export const endpointGroups = ['video', 'audio', 'timeline'] as const
export type EndpointGroup = (typeof endpointGroups)[number]

/** The scopes of keys: everything, or the endpoints and jobs of one group. */
export const keyScopes = ['all', ...endpointGroups.map((group) => `${group}/*` as const)] as const

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
