import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonStyle } from './button.tsx'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'
import type { Action } from './use-action.ts'

interface Props {
  readonly email: string
  readonly sendAgain: Action<void>
  readonly children: ReactNode
}

/** The same whether the address has an account or not, as the answer of the service is. */
export function MailSent({ email, sendAgain, children }: Props) {
  return (
    <Page title="Look into your mailbox">
      <p>
        If <strong className="break-all">{email}</strong> can get the mail, it arrives within a minute. {children}
      </p>
      <p className="text-sm text-quiet">Each kind of mail is sent at most once in three minutes.</p>
      <Failure error={sendAgain.error} />
      <div className="flex flex-wrap gap-3">
        <Link to="/sign-in" className={buttonStyle.primary}>
          Sign in
        </Link>
        <Button onClick={() => sendAgain.run()} isBusy={sendAgain.isBusy}>
          Send it again
        </Button>
      </div>
    </Page>
  )
}
