import { useSearch } from '@tanstack/react-router'
import { api, resultOf } from '../api/client.ts'
import { MailedForm } from '../components/mailed-form.tsx'

/** People choose their password at the mailed link: that of a sign-up opens no account, because a stranger may have typed the address. */
export function SignUpPage() {
  const { deleted } = useSearch({ from: '/visitor/sign-up' })
  return (
    <MailedForm
      title="Create an account"
      lead={
        deleted ? 'Your account is deleted. You can create another one.' : 'With 5 USD of free credits. No card needed.'
      }
      submit="Mail me a link"
      send={async (email) => resultOf(api.POST('/api/auth/sign-up/email', { body: { email, password: unused() } }))}
      sendAgain={async (email) => resultOf(api.POST('/api/auth/send-verification-email', { body: { email } }))}
      next="Open the link in the mail, and choose your password there."
    />
  )
}

function unused(): string {
  return crypto.getRandomValues(new Uint32Array(8)).join('-')
}
