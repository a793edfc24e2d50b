import type { Page } from 'playwright-core'
import type { Person } from '../../lab/people.ts'
import type { SharedService } from '../e2e/shared-service.ts'

/** Signs in by the page, which then shows the home. */
export async function signIn(page: Page, service: Pick<SharedService, 'baseUrl'>, person: Person): Promise<void> {
  await page.goto(`${service.baseUrl}/dashboard/sign-in`)
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
}
