import { useQuery } from '@tanstack/react-query'
import { connectorsQuery } from '../../api/queries.ts'
import { CredentialsPage } from '../../components/credentials-page.tsx'
import { ConnectAssistant } from './connect-assistant.tsx'
import { ConnectorItem } from './connector-item.tsx'
import { NewConnector } from './new-connector.tsx'

export function ConnectorsPage() {
  const address = `${location.origin}/mcp`
  const advice = (
    <>
      Store this token now: it is shown only once. It works at <code className="wrap-anywhere">{address}</code>.
    </>
  )
  return (
    <CredentialsPage
      title="Connectors"
      lead="A connector lets an assistant use the account through the Model Context Protocol, until you revoke it."
      noun="connector"
      empty="Create a connector above. The page then shows what your assistant needs, so that it finds and cuts when you ask."
      query={useQuery(connectorsQuery)}
      form={(onMade) => <NewConnector address={address} onMade={onMade} />}
      advice={advice}
      trial={(secret) => <ConnectAssistant address={address} secret={secret} />}
    >
      {(connector) => <ConnectorItem key={connector.id} item={connector} />}
    </CredentialsPage>
  )
}
