import { useQuery } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { connectorsQuery } from '../../api/queries.ts'
import { CredentialsPage } from '../../components/credentials-page.tsx'
import { Field, textOf } from '../../components/form.tsx'
import { ConnectAssistant } from './connect-assistant.tsx'

export function ConnectorsPage() {
  const address = `${location.origin}/mcp`
  return (
    <CredentialsPage
      title="Connectors"
      lead="A connector lets an assistant use the account through the Model Context Protocol, until you revoke it."
      noun="connector"
      empty="Create a connector above. The page then shows what your assistant needs, so that it finds and cuts when you ask."
      query={useQuery(connectorsQuery)}
      changes={connectorsQuery}
      note={
        <p className="text-quiet">
          The apps of Claude and ChatGPT take no token: add <code className="wrap-anywhere">{address}</code> there as a
          custom connector, which then leads to the sign-in here. That works once the operator approved them. For other
          assistants, such as Claude Code, create a token.
        </p>
      }
      nameHint="Such as that of the assistant."
      moreFields={
        <Field
          label="Last day"
          name="expires"
          type="date"
          min={new Date().toISOString().slice(0, 10)}
          max="9999-12-31"
          hint="In UTC. Left empty, it does not expire."
        />
      }
      make={(asked, form) => {
        const expires = textOf(form, 'expires')
        const body = { ...asked, ...(expires ? { expires_at: `${expires}T23:59:59Z` } : {}) }
        return resultOf(api.POST('/api/dashboard/connectors', { body }))
      }}
      revoke={(token_id) =>
        resultOf(api.POST('/api/dashboard/connectors/{token_id}/revoke', { params: { path: { token_id } } }))
      }
      ending="The assistant is refused"
      advice={
        <p>
          Store this token now: it is shown only once. It works at <code className="wrap-anywhere">{address}</code>.
        </p>
      }
      trial={(secret) => <ConnectAssistant address={address} secret={secret} />}
    />
  )
}
