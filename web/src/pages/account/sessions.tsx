import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { sessionsQuery } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { minuteOf } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function Sessions() {
  const queryClient = useQueryClient()
  const endOthers = useAction(async () => {
    await resultOf(api.POST('/api/auth/revoke-other-sessions'))
    await queryClient.invalidateQueries(sessionsQuery)
  })
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
