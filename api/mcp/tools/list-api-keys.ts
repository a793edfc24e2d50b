import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { keysOf } from '../../account/keys.ts'
import { keySchema } from '../../account/keys-schema.ts'
import { defineTool, lookUp } from '../define-tool.ts'

export const listApiKeysTool = defineTool({
  name: 'list_api_keys',
  title: 'List API keys',
  description:
    'Lists the API keys of the account, without their secrets: names, scopes, last use. Needs the scope all.',
  auth: 'account',
  annotations: lookUp,
  input: strictFields({}),
  output: z.object({ keys: z.array(keySchema).describe('Revoked keys come last.') }),
  run: async (_input, { context, credential }) => {
    const keys = await keysOf(context.db, credential.accountId)
    const good = keys.filter(({ revoked_at }) => revoked_at === undefined)
    const lines = good.map(({ id, name, scope }) => `- ${id}: ${scope}, named ${quoted(name)}`)
    const text = `Not revoked: ${counted(good.length, 'key')}. Next: svc.revoke_api_key revokes a key, svc.create_api_key creates one.`
    return { structured: { keys }, text: [...lines, text].join('\n') }
  },
})
