import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectorsQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Secret } from '../../components/secret.tsx'
import { ConnectorItem } from './connector-item.tsx'
import { NewConnector } from './new-connector.tsx'

export function ConnectorsPage() {
  const connectors = useQuery(connectorsQuery)
  const [secret, setSecret] = useState<string>()
  const address = `${location.origin}/mcp`
  return (
    <Page
      title="Connectors"
      lead="A connector lets an assistant use the account through the Model Context Protocol, until you revoke it."
    >
      {secret ? (
        <Secret title="Your new connector" secret={secret} onDone={() => setSecret(undefined)}>
          Store this token now: it is shown only once. It works at <code className="break-all">{address}</code> only.
        </Secret>
      ) : (
        <NewConnector address={address} onMade={setSecret} />
      )}
      <Loaded query={connectors}>
        {(all) => (
          <section aria-labelledby="connectors" className="flex flex-col gap-3">
            <h2 id="connectors" className="text-lg font-semibold">
              Your connectors
            </h2>
            {all.length === 0 && <p className="text-quiet">None yet.</p>}
            <ul className="flex flex-col gap-3">
              {all.map((connector) => (
                <ConnectorItem key={connector.id} item={connector} />
              ))}
            </ul>
          </section>
        )}
      </Loaded>
    </Page>
  )
}
