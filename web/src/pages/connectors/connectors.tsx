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
      lead="With a connector, an assistant such as Claude or ChatGPT works on your recordings when you ask it to, until you revoke it."
      noun="connector"
      empty="Create a connector above. The page then shows what your assistant needs, so that it finds and cuts when you ask."
      query={useQuery(connectorsQuery)}
      changes={connectorsQuery}
      note={
        <p className="text-quiet">
          In the apps of Claude and ChatGPT, add <code className="wrap-anywhere">{address}</code> as a custom connector,
          and sign in here when they ask. That works once those who run this service have allowed it. Other assistants,
          such as Claude Code, need a token, which you create here.
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
