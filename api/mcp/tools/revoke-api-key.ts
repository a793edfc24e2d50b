import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { revokeKnownKey } from '../../account/keys.ts'
import { keySchema } from '../../account/keys-schema.ts'
import { defineTool, keyIdArgument, replace } from '../define-tool.ts'

export const revokeApiKeyTool = defineTool({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  description:
    'Revokes an API key, and every key that it created. After the answer, every request with them is refused. This cannot be undone: ask the user first. Needs the scope all.',
  auth: 'account',
  annotations: replace,
  input: strictFields({ key_id: keyIdArgument }),
  output: z.object({ key: keySchema }),
  run: async ({ key_id }, { context, credential }) => {
    const key = await revokeKnownKey(context.db, credential.accountId, key_id)
    const own =
      key_id === credential.keyId ? ' It was the key of this request: further requests with it are refused.' : ''
    return { structured: { key }, text: `Key ${key.id} is revoked.${own}` }
  },
})
