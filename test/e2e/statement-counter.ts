import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Forwards connections to a Postgres server, and knows every statement that passes. */
export interface StatementCounter {
  /** The database's URL through the counter. */
  readonly url: string
  /** The statements since the last call, in the order of their arrival. */
  take(): string[]
  close(): void
}

export async function openStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const url = new URL(databaseUrl)
  const [host, port] = [url.hostname, Number(url.port || 5432)]
  let statements: string[] = []
  const server = createServer((near) => {
    const far = connect(port, host)
    const read = createReader((statement) => statements.push(statement))
    near.on('data', (chunk: Buffer) => read(chunk))
    near.pipe(far).pipe(near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.once('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    take: () => {
      const taken = statements
      statements = []
      return taken
    },
    close: () => server.close(),
  }
}

/** Reads a client's messages (https://www.postgresql.org/docs/current/protocol-message-formats.html), unencrypted. */
function createReader(onStatement: (statement: string) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0)
  // The first message, which starts the session, has no type.
  let typeBytes = 0
  const prepared = new Map<string, string>()
  let bound = ''
  const readMessage = (type: string, [first = '', second = '']: readonly string[]) => {
    // A statement comes as Query; or as Parse (its name and text) once, Bind (a portal and the name) and Execute.
    if (type === 'Q') onStatement(first)
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') bound = prepared.get(second) ?? ''
    if (type === 'E') onStatement(bound)
  }
  return (chunk) => {
    left = Buffer.concat([left, chunk])
    while (left.length >= typeBytes + 4) {
      const end = typeBytes + left.readUInt32BE(typeBytes)
      if (left.length < end) return
      readMessage(left.toString('latin1', 0, typeBytes), left.toString('utf8', typeBytes + 4, end).split('\0'))
      left = left.subarray(end)
      typeBytes = 1
    }
  }
}
