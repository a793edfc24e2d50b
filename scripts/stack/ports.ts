import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

export interface PortChoice {
  /** The variable that sets this port. */
  readonly variable: string
  readonly preferred: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A port to listen on at 127.0.0.1: the variable's, otherwise the preferred one, otherwise a free one, which `say` reports.
 * Throws one readable line if the variable's port is taken or invalid.
 */
export async function choosePort(
  { variable, preferred }: PortChoice,
  env: Environment,
  say: (message: string) => void = () => {},
): Promise<number> {
  const requested = env[variable]
  if (!requested) {
    const port = (await listenOn(preferred)) ?? (await freePort())
    if (port !== preferred) say(`port ${preferred} is taken: using ${port}; set ${variable} to choose another`)
    return port
  }
  const port = Number(requested)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${variable}=${requested} is not a port`)
  const chosen = await listenOn(port)
  if (chosen === undefined) {
    throw new Error(`${variable}=${port}: the port is taken; choose another, or leave ${variable} out for a free one`)
  }
  return chosen
}

/** Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those can be taken before a server binds it. */
const serverPorts = { first: 10_240, end: 32_768 }

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = await listenOn(randomInt(serverPorts.first, serverPorts.end))
    if (port !== undefined) return port
  }
  throw new Error('no free port at 127.0.0.1')
}

/** Listens for a moment. Returns the port, or undefined if it is taken or not allowed. */
async function listenOn(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? address?.port : undefined
}
