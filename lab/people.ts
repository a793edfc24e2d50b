import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { randomText } from '../src/core/ids.ts'

/** A service whose mails are files. */
interface Service {
  readonly baseUrl: string
  readonly dataDir: string
}

export interface Person {
  readonly email: string
  readonly password: string
}

export function newPerson(): Person {
  return { email: `${randomText(12).toLowerCase()}@example.com`, password: 'correct horse battery' }
}

const mailMilliseconds = 30_000

/** The link in the last mail to the address with this part in it. */
export async function linkInMail(
  { dataDir }: Pick<Service, 'dataDir'>,
  { email }: Person,
  part: string,
): Promise<string> {
  const folder = path.join(dataDir, 'mail')
  const deadline = Date.now() + mailMilliseconds
  for (;;) {
    const names = (await readdir(folder).catch(() => [])).toSorted((a, b) => b.localeCompare(a))
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    const links = mails.filter((text) => text.includes(`To: ${email}\r\n`)).map((text) => /https?:\S+/.exec(text)?.[0])
    const link = links.find((each) => each?.includes(part))
    if (link) return link
    if (Date.now() > deadline) throw new Error(`no mail to ${email}`)
    await sleep(50)
  }
}

/** Signs a person up by the API, from the address if one is given and the service trusts a proxy. */
export async function signUp(service: Service, address?: string): Promise<Person> {
  const person = newPerson()
  await post(service, 'sign-up/email', person, address)
  const token = new URL(await linkInMail(service, person, 'verify-email')).searchParams.get('token')
  await post(service, 'verify-email', { token, password: person.password }, address)
  return person
}

const session = z.object({ account_id: z.string() })

/** The account of a person, and the cookie of a new session. */
export async function openSession(service: Service, person: Person, address?: string) {
  const answer = await post(service, 'sign-in/email', person, address)
  const { account_id: accountId } = session.parse(await answer.json())
  const cookie = answer.headers.getSetCookie().find((each) => each.includes('session_token=')) ?? ''
  return { accountId, cookie: cookie.split(';', 1)[0] ?? '' }
}

async function post({ baseUrl }: Service, name: string, body: object, address?: string): Promise<Response> {
  const answer = await fetch(`${baseUrl}/api/auth/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: baseUrl,
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}`)
  return answer
}
