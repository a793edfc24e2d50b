import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api, resultOf } from '../api/client.ts'
import { Field, Form, textOf } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../components/use-action.ts'

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/visitor/sign-in' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const signIn = useAction(async (form: FormData) => {
    const body = { email: textOf(form, 'email'), password: textOf(form, 'password') }
    await resultOf(api.POST('/api/auth/sign-in/email', { body }))
    queryClient.clear()
    await navigate({ to: next })
  })
  return (
    <Page title="Sign in">
      <Form action={signIn} submit="Sign in">
        <Field label="Email address" name="email" type="email" required autoComplete="username" />
        <Field label="Password" name="password" type="password" required autoComplete="current-password" />
      </Form>
      <ul className="flex flex-col gap-2">
        <li>
          <Link to="/sign-up" className="underline">
            Create an account
          </Link>
        </li>
        <li>
          <Link to="/forgot-password" className="underline">
            Forgot your password?
          </Link>
        </li>
      </ul>
    </Page>
  )
}
