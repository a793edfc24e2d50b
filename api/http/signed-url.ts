import type { FastifyRequest } from 'fastify'
import type { Signer, Verification } from '../../src/storage/signing.ts'

const prefix = '/storage/'

/** The key in the path of a signed URL of local storage, and what its signature says about the request. */
export function verifySignedUrl(
  signer: Signer,
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
): Verification & { readonly key: string } {
  const [path = '', query] = url.split(/\?(.*)/s)
  const checked = signer.verify(method === 'HEAD' ? 'GET' : method, path, new URLSearchParams(query))
  return { key: path.slice(prefix.length), ...checked }
}

/** Whether the request reads what a valid signature allows. Each seek of a player is such a request. */
export function isSignedRead(signer: Signer, request: Pick<FastifyRequest, 'method' | 'url'>): boolean {
  const isRead = request.url.startsWith(prefix) && ['GET', 'HEAD'].includes(request.method)
  return isRead && verifySignedUrl(signer, request).status === 'valid'
}
