import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { Field, Form, textOf } from './form.tsx'
import { Page } from './page.tsx'
import { useAction } from './use-action.ts'

interface Props {
  readonly title: string
  readonly lead: string
  readonly submit: string
  /** Sends the form, whose answer is a mail. */
  readonly send: (email: string) => Promise<unknown>
  readonly sendAgain: (email: string) => Promise<unknown>
  /** What to do with the mail. */
  readonly next: string
}

/** A form for people who are not signed in, whose answer is a mail: the same whether the address has an account or not. */
export function MailedForm({ title, lead, submit, send, sendAgain, next }: Props) {
  const [sentTo, setSentTo] = useState<string>()
  const first = useAction(async (form: FormData) => {
    const email = textOf(form, 'email')
    await send(email)
    setSentTo(email)
  })
  const again = useAction(async (email: string) => {
    await sendAgain(email)
  })
  if (sentTo !== undefined) {
    return (
      <Page title="Look into your mailbox">
        <p>
          If <strong className="wrap-anywhere">{sentTo}</strong> can get the mail, it arrives within a minute. {next}
        </p>
        <p className="text-sm text-quiet">Each kind of mail is sent at most once in three minutes.</p>
        <Failure error={again.error} />
        <div>
          <Button onClick={() => again.run(sentTo)} isBusy={again.isBusy}>
            Send it again
          </Button>
        </div>
        <SignInInstead />
      </Page>
    )
  }
  return (
    <Page title={title} lead={lead}>
      <Form action={first} submit={submit}>
        <Field label="Email address" name="email" type="email" required autoComplete="username" />
      </Form>
      <SignInInstead />
    </Page>
  )
}

function SignInInstead() {
  return (
    <p>
      <Link to="/sign-in" className="underline">
        Sign in instead
      </Link>
    </p>
  )
}
