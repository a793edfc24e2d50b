import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What axe finds on the page, in light and in dark: nothing. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await page.evaluate(async () => (globalThis as never as { axe: typeof axe }).axe.run())
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${page.url()} in ${colorScheme}`).toEqual([])
  }
}

/** Everything that no page may cause: errors in the console, and requests to other hosts. */
export function watchPage(page: Page, baseUrl: string): string[] {
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
