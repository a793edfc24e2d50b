import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { randomText } from '../../src/core/ids.ts'
import type { SharedService } from '../e2e/shared-service.ts'

export interface Person {
  readonly email: string
  readonly password: string
}

export function newPerson(): Person {
  return { email: `${randomText(12).toLowerCase()}@example.com`, password: 'correct horse battery' }
}

/** The link in the last mail to the address with this part in it. */
export function linkInMail(
  { dataDir }: Pick<SharedService, 'dataDir'>,
  { email }: Person,
  part: string,
): Promise<string> {
  const folder = path.join(dataDir, 'mail')
  return vi.waitFor(async () => {
    const names = (await readdir(folder)).toSorted().toReversed()
    const mails = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
    const links = mails.filter((text) => text.includes(`To: ${email}\r\n`)).map((text) => /https?:\S+/.exec(text)?.[0])
    return links.find((link) => link?.includes(part)) ?? expect.fail('no mail yet')
  }, 30_000)
}

/** Signs a person up by the API. */
export async function signUp(service: SharedService): Promise<Person> {
  const person = newPerson()
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${service.baseUrl}/api/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('sign-up/email', person)
  const token = new URL(await linkInMail(service, person, 'verify-email')).searchParams.get('token')
  expect((await post('verify-email', { token, password: person.password })).status).toBe(200)
  return person
}

/** Signs in by the page, which then shows the home. */
export async function signIn(page: Page, service: Pick<SharedService, 'baseUrl'>, person: Person): Promise<void> {
  await page.goto(`${service.baseUrl}/dashboard/sign-in`)
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
}
