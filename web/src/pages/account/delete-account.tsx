import { api, resultOf } from '../../api/client.ts'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function DeleteAccount() {
  const remove = useAction(async (form: FormData) => {
    await resultOf(api.DELETE('/v1/account', { body: { password: textOf(form, 'password') } }))
    // A new document: nothing of the account stays in memory.
    location.assign('/dashboard/sign-up?deleted=true')
  })
  return (
    <Panel title="Delete the account">
      <p>
        Running jobs are canceled, keys, connectors and sessions end, and all jobs, results, files and your address are
        erased. The list of charges stays, without your name. This cannot be undone.
      </p>
      <Form action={remove} submit="Delete the account" look="danger">
        <Field label="Your password" name="password" type="password" required autoComplete="current-password" />
        <label className="flex items-start gap-3">
          <input type="checkbox" required className="mt-1 size-5 accent-accent" />I want to delete this account with
          everything in it.
        </label>
      </Form>
    </Panel>
  )
}
