import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'

/** Operators can filter by these in the Web UI. The namespace must have them before a workflow starts. */
export const accountIdAttribute = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD)
export const endpointAttribute = defineSearchAttributeKey('Endpoint', SearchAttributeType.KEYWORD)

export const searchAttributes = [accountIdAttribute, endpointAttribute]
