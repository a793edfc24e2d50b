import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../api/client.ts'
import { sessionQuery, sessionsQuery } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { NewPasswordField } from '../components/fields.tsx'
import { Field, Form, textOf } from '../components/form.tsx'
import { minuteOf } from '../components/format.ts'
import { Loaded } from '../components/loaded.tsx'
import { Page } from '../components/page.tsx'
import { Panel } from '../components/panel.tsx'
import { useAction } from '../components/use-action.ts'

export function AccountPage() {
  return (
    <Page title="Account">
      <Loaded query={useQuery(sessionQuery)}>
        {({ user, account_id }) => (
          <>
            <p className="break-all text-quiet">
              Account <code>{account_id}</code>
            </p>
            <ChangeEmail email={user.email} />
          </>
        )}
      </Loaded>
      <ChangePassword />
      <Sessions />
      <DeleteAccount />
    </Page>
  )
}

function ChangeEmail({ email }: { readonly email: string }) {
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
      <Form action={change} submit="Mail a link to the new address" isEmptied>
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

function ChangePassword() {
  const [isChanged, setChanged] = useState(false)
  const change = useAction(async (fields: FormData) => {
    const body = { password: textOf(fields, 'password'), new_password: textOf(fields, 'new_password') }
    await resultOf(api.POST('/api/auth/change-password', { body }))
    setChanged(true)
  }, sessionsQuery)
  return (
    <Panel title="Password">
      <Form action={change} submit="Change the password" isEmptied>
        <Field label="Current password" name="password" type="password" required autoComplete="current-password" />
        <NewPasswordField
          label="New password"
          name="new_password"
          more=" Every other session ends; keys and connectors keep working."
        />
      </Form>
      <p role="status" className="empty:-mt-4">
        {isChanged && 'The password is changed, and every other session has ended.'}
      </p>
    </Panel>
  )
}

function Sessions() {
  const endOthers = useAction(() => resultOf(api.POST('/api/auth/revoke-other-sessions')), sessionsQuery)
  return (
    <Panel title="Where you are signed in">
      <Loaded query={useQuery(sessionsQuery)}>
        {(sessions) => (
          <>
            <ul className="flex flex-col gap-3">
              {sessions.map(({ id, current, user_agent, address, created_at }) => (
                <li key={id} className="border-l-4 border-line pl-3">
                  <span className="font-medium">{current ? 'This browser' : (user_agent ?? 'Unknown browser')}</span>
                  <br />
                  <span className="text-sm text-quiet">
                    {[`Since ${minuteOf(created_at)}`, address].filter(Boolean).join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
            <Failure error={endOthers.error} />
            {sessions.length > 1 && (
              <div>
                <Button onClick={() => endOthers.run()} isBusy={endOthers.isBusy}>
                  Sign out everywhere else
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function DeleteAccount() {
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
