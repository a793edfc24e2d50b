import type { FastifyReply } from 'fastify'

/** Aborts when the client disconnects before it has the whole response. The signal of a request with a body would fire at the body's end. */
export function abortOnDisconnect({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort()
  })
  return left.signal
}
