import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { connectorsQuery } from '../../api/queries.ts'
import { capOf, FirstCapField, ScopeField, scopeOf } from '../../components/fields.tsx'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

interface Props {
  readonly address: string
  readonly onMade: (secret: string) => void
}

export function NewConnector({ address, onMade }: Props) {
  const queryClient = useQueryClient()
  const create = useAction(async (form: FormData) => {
    const expires = textOf(form, 'expires')
    const body = {
      name: textOf(form, 'name'),
      scope: scopeOf(form),
      monthly_cap_usd: capOf(form),
      ...(expires ? { expires_at: `${expires}T23:59:59Z` } : {}),
    }
    const { secret } = await resultOf(api.POST('/api/dashboard/connectors', { body }))
    onMade(secret)
    await queryClient.invalidateQueries(connectorsQuery)
  })
  return (
    <Panel title="New connector">
      <p className="text-quiet">
        The apps Claude and ChatGPT take no token: add <code className="wrap-anywhere">{address}</code> there as a
        custom connector, which then leads to the sign-in here. That works once the operator approved them. For Claude
        Code and other assistants, create a token.
      </p>
      <Form action={create} submit="Create the connector">
        <Field
          label="Name"
          name="name"
          required
          maxLength={80}
          autoComplete="off"
          hint="Such as that of the assistant."
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <ScopeField />
          <FirstCapField />
          <Field
            label="Last day"
            name="expires"
            type="date"
            min={new Date().toISOString().slice(0, 10)}
            max="9999-12-31"
            hint="In UTC. Left empty, it does not expire."
          />
        </div>
      </Form>
    </Panel>
  )
}
