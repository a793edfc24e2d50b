import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function ChangeEmail({ email }: { readonly email: string }) {
  const [sentTo, setSentTo] = useState<string>()
  const change = useAction(async (fields: FormData) => {
    const new_email = textOf(fields, 'new_email')
    await resultOf(
      api.POST('/api/auth/change-email', { body: { password: textOf(fields, 'email_password'), new_email } }),
    )
    setSentTo(new_email)
  })
  return (
    <Panel title="Email address">
      <p className="wrap-anywhere">
        Now <strong>{email}</strong>
      </p>
      <div key={sentTo}>
        <Form action={change} submit="Mail a link to the new address">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="New email address" name="new_email" type="email" required autoComplete="off" />
            <Field
              label="Password of the account"
              name="email_password"
              type="password"
              required
              autoComplete="current-password"
            />
          </div>
        </Form>
      </div>
      <p role="status" className="empty:-mt-4">
        {sentTo && (
          <>
            If <strong className="wrap-anywhere">{sentTo}</strong> can be used, it gets a mail within a minute. The
            address changes when you confirm it on the page of the mailed link, and the old one is told.
          </>
        )}
      </p>
    </Panel>
  )
}
