import { z } from 'zod'
import { makeKeyAsAsked } from '../../account/keys.ts'
import { keyRequest, keySchema } from '../../account/keys-schema.ts'
import { defineTool } from '../define-tool.ts'
import { add } from './annotations.ts'

export const createApiKey = defineTool({
  name: 'create_api_key',
  title: 'Make an API key',
  description:
    'Makes an API key of a scope, for a program that the user sets up. The secret is shown this once: store it, never log it. The key ends when the credential that made it is revoked or expires, and the owner is told of it. Needs a credential of the scope all.',
  auth: 'account',
  annotations: add,
  input: z.strictObject(keyRequest.shape),
  output: z.object({ key: keySchema, secret: z.string().describe('The whole API key, shown this once.') }),
  run: async (request, { context, credential }) => {
    const { accountId, keyId } = credential
    const made = await makeKeyAsAsked(context.db, { accountId, keyId }, request, { endsWithMaker: true })
    return {
      structured: made,
      text: `Key ${made.key.id} covers ${made.key.scope}. Its secret is in the answer, this once. It ends with the credential that made it. svc.revoke_api_key ends it at once.`,
    }
  },
})
