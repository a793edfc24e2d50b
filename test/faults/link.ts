import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection to a server of this machine that can be blocked. */
export interface Link {
  readonly port: number
  /** Blocks all bytes in both directions. */
  pause(): void
  /** Blocks those of open connections; new connections pass. */
  freeze(): void
  /** Ends open connections with all bytes in transit; new connections pass. */
  cut(): void
  close(): Promise<void>
}

/** Listens on a free port and forwards everything to `targetPort`. Refuses connections while that server is down. */
export async function openLink(targetPort: number): Promise<Link> {
  const sockets = new Set<Socket>()
  let paused = false
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => {})
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (paused) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')

  const freeze = () => {
    for (const socket of sockets) socket.pause()
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: address.port,
    pause: () => {
      paused = true
      freeze()
    },
    freeze,
    cut: () => {
      paused = false
      cut()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
