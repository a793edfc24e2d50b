import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import { capOf, FirstCapField, ScopeField, scopeOf } from '../../components/fields.tsx'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function NewKey({ onMade }: { readonly onMade: (secret: string) => void }) {
  const queryClient = useQueryClient()
  const create = useAction(async (form: FormData) => {
    const body = {
      name: textOf(form, 'name'),
      scope: scopeOf(form),
      monthly_cap_usd: capOf(form),
      may_raise_limits: false,
    }
    const { secret } = await resultOf(api.POST('/v1/keys', { body }))
    onMade(secret)
    await queryClient.invalidateQueries(keysQuery)
  })
  return (
    <Panel title="New key">
      <Form action={create} submit="Create the key">
        <Field label="Name" name="name" required maxLength={80} autoComplete="off" hint="To recognize the key by." />
        <div className="grid gap-5 sm:grid-cols-2">
          <ScopeField />
          <FirstCapField />
        </div>
      </Form>
    </Panel>
  )
}
