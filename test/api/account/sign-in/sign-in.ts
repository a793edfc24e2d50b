import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { randomText } from '../../../../src/core/ids.ts'
import type { Answer, Api } from '../../api.ts'

export const password = 'correct horse battery'

export const newEmail = () => `${randomText(12).toLowerCase()}@example.com`

/** A page of the service, as a browser sends it. */
export function openPage(api: Api, { address = '127.0.0.1', origin = new URL(api.config.BASE_URL).origin } = {}) {
  let cookie: string | undefined
  let device: string | undefined
  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<Answer> => {
    const answer = await api.call({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...(method === 'GET' ? {} : { origin }),
        ...(cookie || device ? { cookie: [cookie, device].filter(Boolean).join('; ') } : {}),
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const set of cookiesOf(answer)) {
      const [pair] = set.split(';', 1)
      if (set.includes('session_token=')) cookie = pair
      else device = pair
    }
    return answer
  }
  return {
    get: (url: string) => send('GET', url),
    post: (url: string, payload?: object) => send('POST', url, payload),
    patch: (url: string, payload: object) => send('PATCH', url, payload),
    signUp: (email: string, chosen = password) => send('POST', '/api/auth/sign-up/email', { email, password: chosen }),
    signIn: (email: string, given = password) => send('POST', '/api/auth/sign-in/email', { email, password: given }),
    verify: (token: string, chosen = password) => send('POST', '/api/auth/verify-email', { token, password: chosen }),
    cookie: () => cookie,
    setCookie: (value: string) => {
      cookie = value
    },
  }
}

export function cookiesOf({ headers }: Answer): string[] {
  return [headers['set-cookie'] ?? []].flat().map(String)
}

/** Waits for `count` mails to an address; oldest first. */
export async function mailsTo(api: Api, email: string, count = 1): Promise<string[]> {
  const read = async () => {
    const mails = await readMails(api, email)
    expect(mails).toHaveLength(count)
    return mails
  }
  return vi.waitFor(read, 60_000)
}

async function readMails({ config }: Api, email: string): Promise<string[]> {
  const folder = path.join(config.DATA_DIR, 'mail')
  const names = (await readdir(folder).catch(() => [])).toSorted((a, b) => a.localeCompare(b))
  const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return mails.filter((mail) => mail.includes(`\r\nTo: ${email}\r\n`))
}

/** The path of the link in a mail, and its token. */
export function linkIn(mail = ''): { readonly path: string; readonly token: string } {
  const [url = ''] = /https?:\S+/.exec(mail) ?? []
  const { pathname, search, hash, searchParams } = new URL(url)
  return {
    path: pathname + search,
    token: searchParams.get('token') ?? new URLSearchParams(hash.slice(1)).get('token') ?? '',
  }
}

/** A user who signed up, verified the address and signed in. */
export async function signedIn(api: Api) {
  const email = newEmail()
  const page = openPage(api)
  await page.signUp(email)
  const [mail] = await mailsTo(api, email)
  await page.verify(linkIn(mail).token)
  const { body } = await page.signIn(email)
  return { ...page, email, accountId: String(body.account_id), userId: String(body.user.id) }
}
