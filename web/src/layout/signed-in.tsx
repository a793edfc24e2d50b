import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { forgetKept } from '../components/kept.ts'
import { useAction } from '../components/use-action.ts'

/** Who is signed in, and the way out. */
export function SignedIn() {
  const { data } = useQuery(sessionQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const leave = useAction(async () => {
    await signOut(() => navigate({ to: '/sign-in' }))
    // What the account showed is gone for the next person at this browser.
    queryClient.clear()
    forgetKept(localStorage)
  })
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="truncate text-sm text-quiet" title={data?.user.email}>
        {data?.user.email}
      </p>
      <Failure error={leave.error} />
      <Button onClick={() => leave.run()} isBusy={leave.isBusy}>
        Sign out
      </Button>
    </div>
  )
}
