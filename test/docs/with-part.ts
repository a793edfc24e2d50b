import { expect } from 'vitest'

/** The page with the part between two comments replaced. */
export function withPart(page: string, part: string, text: string): string {
  const [start, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`]
  expect(page).toContain(start)
  return `${page.slice(0, page.indexOf(start) + start.length)}${text}\n${page.slice(page.indexOf(end))}`
}
