import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(path.join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [path.join('docs', name)] : [])),
]

const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** The page's text without its code. */
const proseOf = (page: string) => readFileSync(path.join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('the links of %s lead to files and headings that exist', (page) => {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file ? path.join(path.dirname(page), file) : page
      const exists = statSync(path.join(root, target), { throwIfNoEntry: false })
      return !exists || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
  expect(broken).toEqual([])
})

/** The first folder of a path of this repository. */
const startsInTree = new RegExp(`^(${folders.join('|')})/`)

/** Patterns, and what exists only once something ran. */
const noFile = /[*<>{}…]|^(dist|node_modules|\.data|\.tools)(\/|$)/

it.each(pages)('the files and folders that %s names in code font exist', (page) => {
  const named = [...proseOf(page).matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  const paths = named.filter((name) => startsInTree.test(name) && !noFile.test(name))
  const missing = paths.filter((name) => !statSync(path.join(root, name), { throwIfNoEntry: false }))
  expect(missing).toEqual([])
})
