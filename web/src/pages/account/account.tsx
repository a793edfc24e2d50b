import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { ChangeEmail } from './change-email.tsx'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Sessions } from './sessions.tsx'

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
