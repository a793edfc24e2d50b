import type { FastifyReply } from 'fastify'

/** Aborts when the client leaves before it has its whole answer. The signal of a request with a body tells the body's end. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort()
  })
  return left.signal
}
