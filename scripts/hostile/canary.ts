import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { freePort } from '../stack/ports.ts'

export interface Canary {
  /** A loopback address that the service may not ask. */
  readonly url: string
  readonly port: number
  /** A file outside of the service's folders, which nothing may open. */
  readonly file: string
  /** What asked for the address or read the file, since the last call. */
  takeHits(): string[]
  close(): void
}

/** Neither the service nor its tools have a reason to touch what this starts: a hit is a finding. */
export async function startCanary(folder: string): Promise<Canary> {
  const port = await freePort()
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url} asked the canary`)
    response.end()
  })
  server.listen(port, '127.0.0.1')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'canary.txt')
  writeFileSync(file, 'The canary: nothing may read this.\n')
  setTrap(file)
  const seesReads = readFileSync(file).length > 0 && wasRead(file)
  setTrap(file)
  return {
    url: `http://127.0.0.1:${port}/canary.mp4`,
    port,
    file,
    takeHits: () => {
      const taken = hits.splice(0)
      if (!seesReads || !wasRead(file)) return taken
      setTrap(file)
      return [...taken, 'the canary file was read']
    },
    close: () => void server.close(),
  }
}

/** File systems note a read of a file whose last noted read is older than its last change (`relatime`). */
function setTrap(file: string): void {
  utimesSync(file, new Date(0), new Date())
}

function wasRead(file: string): boolean {
  return statSync(file).atimeMs > 0
}
