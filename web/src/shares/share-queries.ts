import { queryOptions } from '@tanstack/react-query'
import { api, resultOf } from '../api/client.ts'
import type { components } from '../api/generated/schema.d.ts'

export type Share = components['schemas']['Share']
export type ShareRequest = components['schemas']['ShareRequest']

export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  // Keys and assistants share too.
  staleTime: 0,
  queryFn: async () => (await resultOf(api.GET('/v1/shares'))).shares,
})

/** Returns the address, which nothing tells again. */
export async function createShare(body: ShareRequest): Promise<string> {
  return (await resultOf(api.POST('/v1/shares', { body }))).url
}

export async function revokeShare(id: string): Promise<void> {
  await resultOf(api.DELETE('/v1/shares/{share_id}', { params: { path: { share_id: id } } }))
}
