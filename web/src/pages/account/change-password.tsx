import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { sessionsQuery } from '../../api/queries.ts'
import { NewPasswordField } from '../../components/fields.tsx'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function ChangePassword() {
  const queryClient = useQueryClient()
  const [changed, setChanged] = useState(0)
  const change = useAction(async (fields: FormData) => {
    const body = { password: textOf(fields, 'password'), new_password: textOf(fields, 'new_password') }
    await resultOf(api.POST('/api/auth/change-password', { body }))
    setChanged((times) => times + 1)
    await queryClient.invalidateQueries(sessionsQuery)
  })
  return (
    <Panel title="Password">
      <div key={changed}>
        <Form action={change} submit="Change the password">
          <Field label="Present password" name="password" type="password" required autoComplete="current-password" />
          <NewPasswordField
            label="New password"
            name="new_password"
            more=" Every other session ends; keys and connectors keep working."
          />
        </Form>
      </div>
      <p role="status" className="empty:-mt-4">
        {changed > 0 && 'The password is changed, and every other session has ended.'}
      </p>
    </Panel>
  )
}
