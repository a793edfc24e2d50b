import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
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

/** The folders below a folder that are in git. */
const foldersOf = (folder: string) =>
  new Set(
    tracked
      .filter((file) => file.startsWith(folder))
      .flatMap((file) => /^([\w-]+)\//.exec(file.slice(folder.length))?.[1] ?? []),
  )

it.each([
  ['README.md', ''],
  ['CONTRIBUTING.md', 'src/'],
])('%s has a row for each folder of the tree below "%s"', (page, folder) => {
  const rows = readFileSync(path.join(root, page), 'utf8').match(/^\| `.+?\|/gm) ?? []
  const missing = [...foldersOf(folder)].filter(
    (name) => !rows.some((row) => row.match(new RegExp(`\`${folder}${name}/?\``))),
  )
  expect(missing).toEqual([])
})
