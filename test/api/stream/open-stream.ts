import { expect } from 'vitest'
import { z } from 'zod'

const messageData = z.looseObject({ type: z.string().optional(), id: z.string().optional() })

interface Message {
  readonly event: string
  readonly id: string | undefined
  readonly data: z.output<typeof messageData>
}

/** Opens `GET /v1/stream` as a browser does. */
export async function openStream(baseUrl: string, cookie: string, lastEventId?: string) {
  const left = new AbortController()
  const headers = { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
  const response = await fetch(`${baseUrl}/v1/stream`, { headers, signal: left.signal })
  const messages = messagesOf(response)
  return {
    response,
    /** The next message of this event that the check takes. */
    until: async (event: string, check: (data: Message['data']) => boolean = () => true): Promise<Message> => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done) return expect.fail(`the stream ended before ${event}`)
        if (value.event === event && check(value.data)) return value
      }
    },
    /** Reads to the end of the stream. */
    end: async () => {
      while (!(await messages.next()).done);
    },
    leave: () => left.abort(),
  }
}

async function* messagesOf({ body }: Response): AsyncGenerator<Message, undefined> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = `${text}${chunk}`.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const fields = new Map(
        part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const event = fields.get('event')
      if (event) yield { event, id: fields.get('id'), data: messageData.parse(JSON.parse(fields.get('data') ?? '{}')) }
    }
  }
  return undefined
}
