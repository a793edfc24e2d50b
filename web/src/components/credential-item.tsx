import type { ReactNode } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { scopeInWords } from './fields.tsx'
import { minuteOf, usd } from './format.ts'

interface Credential {
  readonly name: string
  readonly scope: string
  readonly monthly_cap_usd: number | null
  readonly last_used_at?: string | undefined
  readonly expires_at?: string | undefined
  readonly revoked_at?: string | undefined
}

interface Props {
  readonly item: Credential
  /** What it is recognized by, besides its name. */
  readonly mark: ReactNode
  readonly confirm: string
  readonly revoke: () => Promise<void>
  /** What ends with it. */
  readonly children: ReactNode
}

/** A key or a connector in its list, with the way to take it back. */
export function CredentialItem({ item, mark, confirm, revoke, children }: Props) {
  const { name, scope, monthly_cap_usd, last_used_at, expires_at, revoked_at } = item
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
        <p className="text-sm break-all text-quiet">{mark}</p>
        <p className="text-sm text-quiet">{facts.join(' · ')}</p>
      </div>
      {revoked_at ? (
        <p className="text-quiet">Revoked {minuteOf(revoked_at)}</p>
      ) : (
        <ConfirmDialog
          open="Revoke"
          openLabel={`Revoke ${name}`}
          title={`Revoke ${name}?`}
          confirm={confirm}
          work={revoke}
        >
          {children}
        </ConfirmDialog>
      )}
    </li>
  )
}
