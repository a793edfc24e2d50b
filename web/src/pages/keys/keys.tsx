import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/queries.ts'
import { CredentialsPage } from '../../components/credentials-page.tsx'
import { KeyItem } from './key-item.tsx'
import { NewKey } from './new-key.tsx'
import { TryKey } from './try-key.tsx'

const advice = (
  <>
    Store it now: it is shown only once. Send it as <code>Authorization: Bearer …</code>, from servers only.
  </>
)

export function KeysPage() {
  return (
    <CredentialsPage
      title="API keys"
      lead="Programs on your servers send a key with every request."
      noun="key"
      empty="Create a key above, and give it to your program, which sends it with every request."
      query={useQuery(keysQuery)}
      form={(onMade) => <NewKey onMade={onMade} />}
      advice={advice}
      trial={(secret) => <TryKey secret={secret} />}
    >
      {(key) => <KeyItem key={key.id} item={key} />}
    </CredentialsPage>
  )
}
