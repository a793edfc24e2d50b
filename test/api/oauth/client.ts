import { createHash } from 'node:crypto'
import { randomText } from '../../../src/core/ids.ts'
import type { signedIn } from '../account/sign-in/sign-in.ts'
import type { Answer, Api } from '../api.ts'

export const callback = 'http://127.0.0.1:8765/callback'
export const documentId = 'https://agent.example/client.json'

/** The value of OAUTH_CLIENTS in tests. */
export const clients = JSON.stringify([
  { client_id: 'desk-agent', client_name: 'Desk <Agent>', redirect_uris: [callback, 'http://127.0.0.1:8766/callback'] },
  { client_id: 'other-agent', client_name: 'Other Agent', redirect_uris: ['https://other.example/cb?tenant=1'] },
  { client_id: documentId, client_name: 'Agent of a document', redirect_uris: [callback, 'https://agent.example/old'] },
])

const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'

export type Person = Pick<Awaited<ReturnType<typeof signedIn>>, 'cookie'>
type Fields = Readonly<Record<string, string | undefined>>

/** A form body, or a query, without the fields that are undefined. */
export function formOf(fields: Fields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  return form.toString()
}

function newVerifier() {
  const verifier = randomText(64)
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const answerOf = ({ headers }: Answer) => {
  const url = new URL(String(headers['location']), 'http://no.location')
  return { to: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) } as Readonly<Record<string, string>>
}

/** The hidden fields of a page's form. */
export function hiddenFields({ text }: Answer): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  const plain = (value: string) => value.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, plain(value)]))
}

/** A client, and the browser of the person who approves it. */
export function createClient(api: Api, id = 'desk-agent', folder = 'oauth') {
  const origin = new URL(api.config.BASE_URL).origin
  const browser = (person: Person | undefined) => ({ accept, ...(person ? { cookie: person.cookie() ?? '' } : {}) })

  const open = (person: Person | undefined, query: string) =>
    api.call({ url: `/api/auth/${folder}/authorize?${query}`, headers: browser(person) })

  const submit = (path: string, body: string, headers: Record<string, string> = {}) =>
    api.call({
      method: 'POST',
      url: `/api/auth/${folder}/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: body,
    })

  const query = (fields: Fields = {}) =>
    formOf({
      ...{ response_type: 'code', client_id: id, redirect_uri: callback, code_challenge: newVerifier().challenge },
      ...{ code_challenge_method: 'S256', state: 'st4te', scope: 'video/*', resource: `${api.config.BASE_URL}/mcp` },
      ...fields,
    })

  const decide = (person: Person, fields: Fields, headers: Record<string, string> = {}) =>
    submit('authorize', formOf(fields), { ...browser(person), origin, ...headers })

  /** Approves a request in the browser; the answer is the redirect to the client. */
  async function approve(person: Person, requested: Fields = {}, chosen: Fields = {}): Promise<Answer> {
    const page = await open(person, query(requested))
    if (page.status !== 200) return page
    const scope = /name="scope" value="([^"]*)"[^>]* checked/.exec(page.text)?.[1]
    return decide(person, { ...hiddenFields(page), scope, decision: 'approve', ...chosen })
  }

  async function code(person: Person, requested: Fields = {}, chosen: Fields = {}) {
    const { verifier, challenge } = newVerifier()
    const answer = answerOf(await approve(person, { code_challenge: challenge, ...requested }, chosen))
    return { verifier, code: String(answer['code']) }
  }

  const token = (fields: Fields, headers?: Record<string, string>) =>
    submit('token', formOf({ client_id: id, ...fields }), headers)

  const redeem = (given: { readonly verifier: string; readonly code: string }, fields: Fields = {}) =>
    token({
      grant_type: 'authorization_code',
      redirect_uri: callback,
      code: given.code,
      code_verifier: given.verifier,
      ...fields,
    })

  const refresh = (refreshToken: string, fields: Fields = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...fields })

  return {
    origin,
    browser,
    open,
    submit,
    query,
    decide,
    approve,
    code,
    token,
    redeem,
    refresh,
    revoke: (text: string, fields: Fields = {}) => submit('revoke', formOf({ client_id: id, token: text, ...fields })),
    /** A whole flow. */
    connect: async (person: Person, requested: Fields = {}, chosen: Fields = {}) => {
      const { body } = await redeem(await code(person, requested, chosen))
      return { access: String(body.access_token), refresh: String(body.refresh_token), body }
    },
  }
}

export function statusOnMcp(api: Api, token: string): Promise<number> {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  return api.call({ method: 'POST', url: '/mcp', payload }, token).then(({ status }) => status)
}
