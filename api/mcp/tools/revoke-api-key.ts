import { z } from 'zod'
import { revokeKnownKey } from '../../account/keys.ts'
import { keySchema } from '../../account/keys-schema.ts'
import { defineTool } from '../define-tool.ts'
import { replace } from './annotations.ts'

export const revokeApiKey = defineTool({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  description:
    'Ends an API key for good, and every key that it made through svc.create_api_key. From the answer on each request with them is refused. It cannot be undone: ask the user first. Needs a credential of the scope all.',
  auth: 'account',
  annotations: replace,
  input: z.strictObject({ key_id: z.string().max(100).describe('An id such as key_…, from svc.list_api_keys.') }),
  output: z.object({ key: keySchema }),
  run: async ({ key_id }, { context, credential }) => {
    const key = await revokeKnownKey(context.db, credential.accountId, key_id)
    const own = key_id === credential.keyId ? ' It was the one that you use: nothing more works with it.' : ''
    return { structured: { key }, text: `Key ${key.id} is revoked.${own}` }
  },
})
