import axe from 'axe-core'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import { launchChromium } from '../setup/chromium.ts'

const axeResults = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
})

/** What axe finds on the page, in light and in dark: nothing. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = axeResults.parse(await page.evaluate('axe.run()'))
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([])
  }
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** A page in a browser of its own, with what it caused (`watchPage`). Its context may open further pages. The caller closes the browser. */
export async function openBrowser(
  baseUrl: string,
  viewport = desktop,
): Promise<{ browser: Browser; page: Page; problems: string[] }> {
  const browser = await launchChromium()
  // A page of `browser.newPage` would be the only one that its context may have.
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  return { browser, page, problems: watchPage(page, baseUrl) }
}

/** Everything that no page may cause: errors in the console, and requests to another origin. */
function watchPage(page: Page, baseUrl: string): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) problems.push(`request to ${request.url()}`)
  })
  return problems
}

/** Moves the focus with Tab until it is on the element, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(target)}`)
}

/** Types into a field that Tab reaches, in place of its text. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** The page as wide as a phone: nothing sticks out. */
export async function assertFitsPhone(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBe(phone.width)
}

/** A picture of the page, if `SHOTS` names a folder for pictures. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

export async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }))
  await page.keyboard.press('Enter')
}

/** Opens a page of the navigation, whose heading then has the focus. */
export async function openRoom(page: Page, room: string): Promise<void> {
  await press(page, 'link', room)
  await page.getByRole('heading', { level: 1, name: room, exact: true }).waitFor()
}
