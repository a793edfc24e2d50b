import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { makeKeyAsAsked } from '../../account/keys.ts'
import { keyRequest, keySchema } from '../../account/keys-schema.ts'
import { add, defineTool } from '../define-tool.ts'

export const createApiKeyTool = defineTool({
  name: 'create_api_key',
  title: 'Create an API key',
  description:
    'Creates an API key with a scope, for a program that the user sets up. The secret is shown only once: store it, never log it. The key ends when the credential that created it is revoked or expires. The owner gets a mail about it. Needs a credential with the scope all.',
  auth: 'account',
  annotations: add,
  input: strictFields(keyRequest.shape),
  output: z.object({ key: keySchema, secret: z.string().describe('The whole API key, shown only once.') }),
  run: async (request, { context, credential }) => {
    const { accountId, keyId } = credential
    const made = await makeKeyAsAsked(context.db, { accountId, keyId }, request)
    return {
      structured: made,
      text: `Key ${made.key.id} covers ${made.key.scope}. Only this answer has its secret. The key ends with the credential that created it. svc.revoke_api_key ends it immediately.`,
    }
  },
})
