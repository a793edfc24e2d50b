import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'

/** What an operator can filter by in the Web UI. The namespace must know them before a workflow starts. */
export const accountIdAttribute = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD)
export const endpointAttribute = defineSearchAttributeKey('Endpoint', SearchAttributeType.KEYWORD)

export const searchAttributes = [accountIdAttribute, endpointAttribute]
