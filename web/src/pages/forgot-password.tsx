import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, resultOf } from '../api/client.ts'
import { Field, Form, textOf } from '../components/form.tsx'
import { MailSent } from '../components/mail-sent.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../components/use-action.ts'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  const request = useAction(async (email: string) => {
    await resultOf(api.POST('/api/auth/request-password-reset', { body: { email } }))
    setSentTo(email)
  })
  if (sentTo) {
    return (
      <MailSent email={sentTo} sendAgain={{ ...request, run: () => request.run(sentTo) }}>
        Open the link in the mail to choose a new password. It ends every session.
      </MailSent>
    )
  }
  return (
    <Page title="Choose a new password" lead="A mail with a link lets you choose one.">
      <Form action={{ ...request, run: (form) => request.run(textOf(form, 'email')) }} submit="Mail me a link">
        <Field label="Email address" name="email" type="email" required autoComplete="username" />
      </Form>
      <p>
        <Link to="/sign-in" className="underline">
          Sign in instead
        </Link>
      </p>
    </Page>
  )
}
