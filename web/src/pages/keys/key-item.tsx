import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Key, keysQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { scopeInWords } from '../../components/fields.tsx'
import { minuteOf, usd } from '../../components/format.ts'

export function KeyItem({ item }: { readonly item: Key }) {
  const queryClient = useQueryClient()
  const revoke = async () => {
    await resultOf(api.POST('/v1/keys/{key_id}/revoke', { params: { path: { key_id: item.id } } }))
    await queryClient.invalidateQueries(keysQuery)
  }
  const { name, prefix, last_four, scope, monthly_cap_usd, last_used_at, revoked_at } = item
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-line bg-surface p-5">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="break-all text-quiet">
          <code>
            {prefix}…{last_four}
          </code>
        </p>
        <p className="text-sm text-quiet">
          {[
            scopeInWords(scope),
            monthly_cap_usd === null ? 'No cap of its own' : `At most ${usd(monthly_cap_usd)} a month`,
            last_used_at ? `Last used ${minuteOf(last_used_at)}` : 'Never used',
          ].join(' · ')}
        </p>
      </div>
      {revoked_at ? (
        <p className="text-quiet">Revoked {minuteOf(revoked_at)}</p>
      ) : (
        <ConfirmDialog
          open="Revoke"
          openLabel={`Revoke ${name}`}
          title={`Revoke ${name}?`}
          confirm="Revoke the key"
          work={revoke}
        >
          Programs that use it are refused from their next request on. Keys that it created end too. This cannot be
          undone.
        </ConfirmDialog>
      )}
    </li>
  )
}
