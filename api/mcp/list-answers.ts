import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

export interface ListRequest {
  readonly id: string | number
  /** The cache key: everything that the response depends on. */
  readonly kind: string
}

/** Caches tools/list responses: large, and identical for equal requests. */
export interface ListAnswers {
  find(request: ListRequest): Buffer | undefined
  keep(request: ListRequest, answer: string): void
}

const maxKindLength = 1_000
/** Requests contain the client's name, so their number is not bounded. */
const maxKinds = 50

const listMessage = z.object({ id: z.union([z.string(), z.number()]), method: z.literal('tools/list') }).loose()
const answered = z.object({ result: z.unknown() })

/** The list request in a message; undefined if the message is another. */
export function listRequestOf(headers: IncomingHttpHeaders, message: unknown): ListRequest | undefined {
  const { id, ...rest } = listMessage.safeParse(message).data ?? {}
  if (id === undefined) return undefined
  const kind = JSON.stringify([headers['content-type'], protocolHeaders(headers), rest])
  return kind.length > maxKindLength ? undefined : { id, kind }
}

export function protocolHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (name.startsWith('mcp-') ? [[name, String(value)]] : []))
}

export function createListAnswers(): ListAnswers {
  // The response up to its id, which comes last.
  const cached = new Map<string, Buffer>()
  return {
    find: ({ id, kind }) => {
      const start = cached.get(kind)
      return start && Buffer.concat([start, Buffer.from(`${JSON.stringify(id)}}`)])
    },
    keep: ({ kind }, answer) => {
      const { result } = answered.parse(JSON.parse(answer))
      if (result === undefined) return
      const [oldest] = cached.keys()
      if (cached.size >= maxKinds && oldest !== undefined) cached.delete(oldest)
      cached.set(kind, Buffer.from(`{"jsonrpc":"2.0","result":${JSON.stringify(result)},"id":`))
    },
  }
}
