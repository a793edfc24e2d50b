import { describe, expect, it } from 'vitest'
import { readGuides } from '../../../api/docs/guides.ts'

const guides = await readGuides('docs')
const found = (page: string, pattern: RegExp) => Array.from(page.matchAll(pattern), ([, of = '']) => of)
const headingsOf = new Map(guides.map(({ name, page }) => [`/docs/${name}`, found(page, / id="([^"]*)"/g)]))

describe.each(guides)('the guide $name', ({ name, title, summary, page }) => {
  it('has one title, and says in a sentence what it is about', () => {
    expect(found(page, /<h1[^>]*>([^<]*)</g)).toEqual([title])
    expect(summary).toMatch(/^[A-Z].{20,200}\.$/)
  })

  it('leads to pages and headings of this service, and to no file of its repository', () => {
    const links = found(page, /href="([^"]*)"/g).filter((href) => !/^https:|^\/docs\/(errors)?$/.test(href))
    const broken = links.filter((href) => {
      const [address, heading] = href.split('#')
      const headings = headingsOf.get(address || `/docs/${name}`)
      return !headings || (heading !== undefined && !headings.includes(heading))
    })
    expect(broken).toEqual([])
  })

  it('has the markup of this service only', () => {
    expect(page).not.toContain('!--')
    expect(page.match(/<(?!\/?(?:[a-z]+|h[1-6])\b|!doctype)/g)).toBeNull()
    expect(found(page, /<(script|iframe|img)\b/g)).toEqual([])
  })
})
