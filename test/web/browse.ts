import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'

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
