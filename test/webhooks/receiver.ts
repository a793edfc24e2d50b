import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly method: string | undefined
  readonly path: string | undefined
}

/** Answers a request, which was the number `count`, from 0, to the receiver. */
type Answer = (response: ServerResponse, received: Received, count: number) => void

/** A receiver of webhooks on 127.0.0.1, which answers 200 until told otherwise. */
export async function startReceiver() {
  const received: Received[] = []
  let answer: Answer = (response) => response.end()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const { headers, method, url: path } = request
      const all = { headers, body, method, path }
      answer(response, all, received.push(all) - 1)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    received,
    answerWith: (next: Answer) => {
      answer = next
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
