import { spawn } from 'node:child_process'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { hostname } from 'node:os'
import { trusted } from '../http.ts'
import { MediaTimelineError } from '../index.ts'
import type { Output } from './output.ts'

const callback = '/callback'
/** A person who takes longer runs the command again. */
const waitMilliseconds = 600_000

interface Login {
  readonly url: string
  readonly output: Output
  readonly signal: AbortSignal
}

/**
 * An API key that a person approves in the browser, who chooses its scope and its cap: the authorization code flow of OAuth with PKCE,
 * whose answer comes to this machine (RFC 8252, 7.3). The key never passes through the browser.
 */
export async function loginInBrowser({ url, output, signal }: Login): Promise<string> {
  const [verifier, state] = [randomBytes(48).toString('base64url'), randomBytes(24).toString('base64url')]
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  try {
    const address = server.address()
    if (typeof address !== 'object' || !address)
      throw new MediaTimelineError('This machine gives no port to listen on.')
    const redirect_uri = `http://127.0.0.1:${address.port}${callback}`
    const page = new URL('/api/auth/command/authorize', url)
    page.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'media-timeline', redirect_uri, state, scope: 'all' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      ...{ code_challenge_method: 'S256', device_name: hostname().slice(0, 60) },
    }).toString()
    output.note(
      `Approve the login in your browser. Where this machine has none, send a key: media-timeline login --api-key-stdin < key.txt\nIf it does not open, visit:\n${page.href}`,
    )
    openPage(page.href)
    const code = await codeFor(server, state, AbortSignal.any([signal, AbortSignal.timeout(waitMilliseconds)]))
    const form = {
      grant_type: 'authorization_code',
      client_id: 'media-timeline',
      code,
      redirect_uri,
      code_verifier: verifier,
    }
    const answer = await fetch(new URL('/api/auth/command/token', url), {
      method: 'POST',
      redirect: 'error',
      body: new URLSearchParams(form),
      signal,
    })
    const { access_token: apiKey, error_description: reason } = trusted<Partial<Record<string, string>>>(
      await answer.json(),
    )
    if (!apiKey) throw new MediaTimelineError(`The service gave no key: ${reason ?? `it answered ${answer.status}`}`)
    return apiKey
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The code of the one request that has the state of this login. */
function codeFor(server: Server, state: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(trusted<Error>(signal.reason)), { once: true })
    server.on('request', ({ url = '/' }, response) => {
      const answer = answerIn(url, state)
      response.writeHead(answer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(answer?.text ?? 'This is not the answer that the command waits for.')
      if (answer?.code) resolve(answer.code)
      else if (answer) reject(new MediaTimelineError(answer.text))
    })
  })
}

/** What the service answered by the browser; undefined for every other request, such as one of another page. */
function answerIn(target: string, state: string) {
  const base = 'http://127.0.0.1'
  // A target such as // is no address.
  if (!URL.canParse(target, base)) return undefined
  const { pathname, searchParams } = new URL(target, base)
  if (pathname !== callback || !isSame(searchParams.get('state') ?? '', state)) return undefined
  const [code, reason] = [searchParams.get('code'), searchParams.get('error_description')]
  return { code, text: code ? 'You are logged in. You can close this page.' : (reason ?? 'The login was declined.') }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The programs that open a page. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Without a browser, the person visits the address that is printed. */
function openPage(address: string): void {
  const { BROWSER } = process.env
  const [program = 'xdg-open', ...args] = BROWSER ? [BROWSER] : (openers[process.platform] ?? [])
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
