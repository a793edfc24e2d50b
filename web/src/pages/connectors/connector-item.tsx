import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Connector, connectorsQuery } from '../../api/queries.ts'
import { CredentialItem } from '../../components/credential-item.tsx'

export function ConnectorItem({ item }: { readonly item: Connector }) {
  const queryClient = useQueryClient()
  const revoke = async () => {
    const params = { path: { token_id: item.id } }
    await resultOf(api.POST('/api/dashboard/connectors/{token_id}/revoke', { params }))
    await queryClient.invalidateQueries(connectorsQuery)
  }
  const mark = item.client_id ? (
    `Approved for ${item.client_id}`
  ) : (
    <code>
      {item.prefix}…{item.last_four}
    </code>
  )
  return (
    <CredentialItem item={item} mark={mark} confirm="Revoke the connector" revoke={revoke}>
      The assistant is refused from its next request on. Keys that it created, and links to results that it shared, end
      too. This cannot be undone.
    </CredentialItem>
  )
}
