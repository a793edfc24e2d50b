import { useSearch } from '@tanstack/react-router'
import { api, resultOf } from '../api/client.ts'
import { NewPasswordField } from '../components/fields.tsx'
import { textOf } from '../components/form.tsx'
import { MailedForm } from '../components/mailed-form.tsx'

export function SignUpPage() {
  const { deleted } = useSearch({ from: '/visitor/sign-up' })
  return (
    <MailedForm
      title="Create an account"
      lead={
        deleted ? 'Your account is deleted. You can create another one.' : 'With 5 USD of free credits. No card needed.'
      }
      submit="Create the account"
      send={async (email, form) =>
        resultOf(api.POST('/api/auth/sign-up/email', { body: { email, password: textOf(form, 'password') } }))
      }
      sendAgain={async (email) => resultOf(api.POST('/api/auth/send-verification-email', { body: { email } }))}
      next="Open the link in the mail and confirm your address there."
    >
      <NewPasswordField label="Password" name="password" />
    </MailedForm>
  )
}
