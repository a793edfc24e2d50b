import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Secret } from '../../components/secret.tsx'
import { KeyItem } from './key-item.tsx'
import { NewKey } from './new-key.tsx'
import { TryKey } from './try-key.tsx'

export function KeysPage() {
  const keys = useQuery(keysQuery)
  const [secret, setSecret] = useState<string>()
  return (
    <Page title="API keys" lead="Programs on your servers send a key with every request.">
      {secret ? (
        <>
          <Secret title="Your new key" secret={secret} onDone={() => setSecret(undefined)}>
            Store it now: it is shown only once. Send it as <code>Authorization: Bearer …</code>, from servers only.
          </Secret>
          <TryKey secret={secret} />
        </>
      ) : (
        <NewKey onMade={setSecret} />
      )}
      <Loaded query={keys}>
        {(all) => (
          <section aria-labelledby="keys" className="flex flex-col gap-3">
            <h2 id="keys" className="text-lg font-semibold">
              Your keys
            </h2>
            {all.length === 0 && <p className="text-quiet">None yet.</p>}
            <ul className="flex flex-col gap-3">
              {all.map((key) => (
                <KeyItem key={key.id} item={key} />
              ))}
            </ul>
          </section>
        )}
      </Loaded>
    </Page>
  )
}
