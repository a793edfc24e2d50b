import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { makeKeyAsAsked } from '../../account/keys.ts'
import { keyRequest, keySchema } from '../../account/keys-schema.ts'
import { add, defineTool } from '../define-tool.ts'

export const createApiKeyTool = defineTool({
  name: 'create_api_key',
  title: 'Create an API key',
  description:
    'Creates an API key, with a scope and a monthly cap, for a program that the user sets up. The secret is shown only once: store it, never log it. The key has at most the rights of the credential that created it, and ends with it. The owner gets a mail. Needs the scope all.',
  auth: 'account',
  annotations: add,
  input: strictFields(keyRequest.shape),
  output: z.object({ key: keySchema, secret: z.string().describe('The whole API key, shown only once.') }),
  run: async (request, { context, credential }) => {
    const { accountId, keyId } = credential
    const made = await makeKeyAsAsked(context.db, { accountId, keyId }, request)
    return {
      structured: made,
      text: `Key ${made.key.id} covers ${made.key.scope}. Its secret is ${made.secret}, shown only in this answer. The key ends with the credential that created it. svc.revoke_api_key ends it immediately.`,
    }
  },
})
