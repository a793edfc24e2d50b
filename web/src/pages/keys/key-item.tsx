import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Key, keysQuery } from '../../api/queries.ts'
import { CredentialItem } from '../../components/credential-item.tsx'

export function KeyItem({ item }: { readonly item: Key }) {
  const queryClient = useQueryClient()
  const revoke = async () => {
    await resultOf(api.POST('/v1/keys/{key_id}/revoke', { params: { path: { key_id: item.id } } }))
    await queryClient.invalidateQueries(keysQuery)
  }
  const mark = (
    <code>
      {item.prefix}…{item.last_four}
    </code>
  )
  return (
    <CredentialItem item={item} mark={mark} confirm="Revoke the key" revoke={revoke}>
      Programs that use it are refused from their next request on. Keys that it created, and links to results that it
      shared, end too. This cannot be undone.
    </CredentialItem>
  )
}
