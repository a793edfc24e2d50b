// Operators can filter and sort by these in the Web UI and the CLI. The namespace must have them before a workflow starts.

export const accountIdAttribute = { name: 'AccountId', type: 'KEYWORD' } as const
export const endpointAttribute = { name: 'Endpoint', type: 'KEYWORD' } as const
/** The key that created the job or run. */
export const keyIdAttribute = { name: 'KeyId', type: 'KEYWORD' } as const
/** Set only if the workflow fails: each change counts as an action on Temporal Cloud. */
export const errorCodeAttribute = { name: 'ErrorCode', type: 'KEYWORD' } as const

export const searchAttributes = [accountIdAttribute, endpointAttribute, keyIdAttribute, errorCodeAttribute]

export interface StartAttributes {
  readonly accountId: string
  /** Undefined for a run; its jobs have one. */
  readonly endpoint?: string
  readonly keyId?: string | null | undefined
}

/** The attributes that a workflow starts with. */
export function startAttributes({ accountId, endpoint, keyId }: StartAttributes) {
  return [
    { key: accountIdAttribute, value: accountId },
    ...(endpoint ? [{ key: endpointAttribute, value: endpoint }] : []),
    ...(keyId ? [{ key: keyIdAttribute, value: keyId }] : []),
  ]
}
