import { api, resultOf } from '../api/client.ts'
import { MailedForm } from '../components/mailed-form.tsx'

export function ForgotPasswordPage() {
  const send = async (email: string) => resultOf(api.POST('/api/auth/request-password-reset', { body: { email } }))
  return (
    <MailedForm
      title="Choose a new password"
      lead="A mail with a link lets you choose one."
      submit="Mail me a link"
      send={send}
      sendAgain={send}
      next="Open the link in the mail to choose a new password. It ends every session."
    />
  )
}
