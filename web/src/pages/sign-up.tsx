import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, resultOf } from '../api/client.ts'
import { Field, Form, textOf } from '../components/form.tsx'
import { MailSent } from '../components/mail-sent.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../components/use-action.ts'

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>()
  const signUp = useAction(async (form: FormData) => {
    const email = textOf(form, 'email')
    await resultOf(api.POST('/api/auth/sign-up/email', { body: { email, password: textOf(form, 'password') } }))
    setSentTo(email)
  })
  const sendAgain = useAction(async () => {
    if (sentTo) await resultOf(api.POST('/api/auth/send-verification-email', { body: { email: sentTo } }))
  })
  if (sentTo) {
    return (
      <MailSent email={sentTo} sendAgain={sendAgain}>
        Open the link in the mail to confirm your address. Then sign in.
      </MailSent>
    )
  }
  return (
    <Page title="Open an account" lead="With 5 USD of free credits. No card needed.">
      <Form action={signUp} submit="Open the account">
        <Field label="Email address" name="email" type="email" required autoComplete="username" />
        <Field
          label="Password"
          name="password"
          type="password"
          required
          minLength={10}
          maxLength={128}
          autoComplete="new-password"
          hint="At least 10 characters."
        />
      </Form>
      <p>
        <Link to="/sign-in" className="underline">
          Sign in instead
        </Link>
      </p>
    </Page>
  )
}
