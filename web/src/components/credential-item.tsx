import type { Credential } from '../api/queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { scopeInWords } from './fields.tsx'
import { minuteOf, usd } from './format.ts'
import type { Changes } from './use-action.ts'

interface Props {
  readonly item: Credential
  readonly noun: string
  readonly revoke: () => Promise<unknown>
  readonly changes: Changes
  readonly ending: string
}

/** A key or a connector in its list, with the way to take it back. */
export function CredentialItem({ item, noun, revoke, changes, ending }: Props) {
  const { name, scope, prefix, last_four, client_id, monthly_cap_usd, last_used_at, expires_at, revoked_at } = item
  const facts = [
    scopeInWords(scope),
    monthly_cap_usd === null ? 'No cap of its own' : `At most ${usd(monthly_cap_usd)} a month`,
    last_used_at ? `Last used ${minuteOf(last_used_at)}` : 'Never used',
    ...(expires_at ? [`Expires ${minuteOf(expires_at)}`] : []),
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-[10px] border border-line bg-surface p-5">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="text-sm break-all text-quiet">
          {client_id ? (
            `Approved for ${client_id}`
          ) : (
            <code>
              {prefix}…{last_four}
            </code>
          )}
        </p>
        <p className="text-sm text-quiet">{facts.join(' · ')}</p>
      </div>
      {revoked_at ? (
        <p className="text-quiet">Revoked {minuteOf(revoked_at)}</p>
      ) : (
        <ConfirmDialog
          open="Revoke"
          openLabel={`Revoke ${name}`}
          title={`Revoke ${name}?`}
          confirm={`Revoke the ${noun}`}
          work={revoke}
          changes={changes}
        >
          {ending} from the next request on. Keys that it created and links that it shared end too. This cannot be
          undone.
        </ConfirmDialog>
      )}
    </li>
  )
}
