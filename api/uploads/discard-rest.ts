import type { IncomingMessage } from 'node:http'

/** Of one body. Then its connection is closed. */
const maxBytes = 16 * 1024 ** 2
/** Of all refused bodies together, so that those who send many of them do not take the process from the others. */
const bytesPerSecond = 64 * 1024 ** 2

/**
 * Returns a function that reads some more of a refused body: a client that is still sending would miss a response that closes the
 * connection.
 */
export function createDiscardRest(): (body: IncomingMessage) => void {
  let open = 0
  return (body) => {
    let bytes = 0
    open += 1
    body.once('close', () => {
      open -= 1
    })
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        body.destroy()
        return
      }
      body.pause()
      setTimeout(() => body.resume(), (1000 * chunk.length * open) / bytesPerSecond)
    })
    body.on('error', () => {})
    body.resume()
  }
}
