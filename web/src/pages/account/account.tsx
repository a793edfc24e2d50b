import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  return (
    <Page title="Account">
      <Loaded query={useQuery(sessionQuery)}>
        {({ user, account_id }) => (
          <p className="break-all">
            <strong>{user.email}</strong>
            <br />
            <code className="text-quiet">{account_id}</code>
          </p>
        )}
      </Loaded>
      <ChangePassword />
      <Sessions />
      <DeleteAccount />
    </Page>
  )
}
