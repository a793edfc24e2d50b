import { useQuery } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import { CredentialsPage } from '../../components/credentials-page.tsx'
import { TryKey } from './try-key.tsx'

export function KeysPage() {
  return (
    <CredentialsPage
      title="API keys"
      lead="Programs on your servers send a key with every request."
      noun="key"
      empty="Create a key above, and give it to your program, which sends it with every request."
      query={useQuery(keysQuery)}
      changes={keysQuery}
      nameHint="To recognize the key by."
      make={(asked) => resultOf(api.POST('/v1/keys', { body: { ...asked, may_raise_limits: false } }))}
      revoke={(key_id) => resultOf(api.POST('/v1/keys/{key_id}/revoke', { params: { path: { key_id } } }))}
      ending="Programs that use it are refused"
      advice={
        <p>
          Store it now: it is shown only once. Send it as <code>Authorization: Bearer …</code>, from servers only.
        </p>
      }
      trial={(secret) => <TryKey secret={secret} />}
    />
  )
}
