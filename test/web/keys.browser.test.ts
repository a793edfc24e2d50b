import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { launchChromium, noChromium } from '../setup/chromium.ts'
import { assertAccessible, watchPage } from './browse.ts'
import { linkInMail, newPerson } from './person.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`the dashboard${skipped}`, () => {
  let service: SharedService
  let browser: Browser
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    service = await useSharedService()
    browser = await launchChromium()
    page = await browser.newPage()
    problems = watchPage(page, service.baseUrl)
  })
  afterAll(() => browser.close())

  it('leads from sign-up to a key that works', async () => {
    const person = newPerson()
    await page.goto(`${service.baseUrl}/dashboard`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Open an account' }).click()
    await page.getByRole('heading', { name: 'Open an account' }).waitFor()
    await assertAccessible(page)
    await page.getByLabel('Email address').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Open the account' }).click()
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    await page.goto(await linkInMail(service, person, 'verify-email'))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.getByLabel('Name').fill('my server')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const secret = await page.getByText(/^mt_live_\w+$/).textContent()
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${service.baseUrl}/v1/jobs`, { headers })).status).toBe(200)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'I stored it' }).click()
    await page.getByRole('button', { name: 'Revoke my server' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText(/^Revoked/).waitFor()
    expect((await fetch(`${service.baseUrl}/v1/jobs`, { headers })).status).toBe(401)
    expect(problems).toEqual([])
  })
})
