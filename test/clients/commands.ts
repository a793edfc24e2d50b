import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { onTestFinished, vi } from 'vitest'
import { z } from 'zod'

/** A body is sent as JSON, and a text as it is. */
export type Answer = readonly [status: number, body: object | string, headers?: Readonly<Record<string, string>>]

/** The service that commands of this test call. `answerTo` has the method and the path of a request, such as `GET /v1/jobs`. */
export async function serveCommands(answerTo: (call: string, body: string) => Answer): Promise<string> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', 'http://service')
    const [status, body, headers] = answerTo(`${request.method} ${pathname}`, await text(request))
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`
  vi.stubEnv('MEDIA_TIMELINE_URL', url)
  vi.stubEnv('MEDIA_TIMELINE_API_KEY', 'mt_live_1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  return url
}

/** What is written meanwhile. */
export async function written(stream: 'stdout' | 'stderr', work: () => unknown): Promise<string> {
  let text = ''
  const spy = vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  await work()
  spy.mockRestore()
  return text
}

/** Runs a command in this process to its end, and returns what it wrote to stdout and stderr, and the error that ended it. */
export async function runCommand(
  addTo: (program: Command) => void,
  words: readonly string[],
  onNote: (note: string) => void = () => {},
) {
  let [lines, notes] = ['', '']
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines += String(line)
    return true
  })
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((note) => {
    notes += String(note)
    onNote(String(note))
    return true
  })
  const program = new Command().option('--url <address>').option('--json').exitOverride()
  addTo(program)
  try {
    const error = await program.parseAsync([...words], { from: 'user' }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return { lines, notes, error }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
