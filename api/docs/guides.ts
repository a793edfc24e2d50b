import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeMarkup } from '../../src/core/text.ts'
import type { Guide } from '../http/context.ts'
import { htmlPage, pageStyle } from '../http/html.ts'

/** The documents for people who use the service, in the order in which they are read. Those for people who run it are in its repository. */
export const guideNames = [
  'jobs',
  'clips',
  'sharing',
  'batches',
  'webhooks',
  'accounts',
  'billing',
  'deletion',
] as const

/** Reads the guides of a folder, as pages of `/docs`. */
export async function readGuides(folder: string): Promise<readonly Guide[]> {
  const guides = guideNames.map(async (name) => ({
    name,
    ...read(await readFile(path.join(folder, `${name}.md`), 'utf8')),
  }))
  const all = await Promise.all(guides)
  return all.map(({ name, title, summary, markup }) => ({
    name,
    title,
    summary,
    page: pageOf(all, { name, title, markup }),
  }))
}

function read(markdown: string) {
  const tokens = parser.lexer(markdown)
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading')?.text ?? ''
  const opening = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')?.text ?? ''
  const [summary = ''] = opening.replaceAll('\n', ' ').split(/(?<=\.) /)
  return { title, summary, markup: parser.parser(tokens) }
}

type Shown = Pick<Guide, 'name' | 'title'>

function pageOf(all: readonly Shown[], { name, title, markup }: Shown & { readonly markup: string }): string {
  const entries = all.map((each) => {
    const current = each.name === name ? ' aria-current="page"' : ''
    return `<li><a href="/docs/${each.name}"${current}>${escapeMarkup(each.title)}</a></li>`
  })
  const others = ['<li><a href="/docs/">API reference</a></li>', '<li><a href="/docs/errors">Errors</a></li>']
  const navigation = `<nav aria-label="Documents"><ul>${[...entries, ...others].join('')}</ul></nav>`
  return htmlPage(title, `${navigation}\n${markup}`, guideStyle)
}

/** As GitHub names headings, because links in the repository use its names. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

const documentLink = /^([a-z-]+)\.md(#.*)?$/

/** Of a link in the repository; undefined if this service has no such page. */
function pageAddress(href: string): string | undefined {
  const [, name, anchor = ''] = documentLink.exec(href) ?? []
  if (name === undefined) return href.startsWith('#') || href.startsWith('https:') ? href : undefined
  return guideNames.some((guide) => guide === name) ? `/docs/${name}${anchor}` : undefined
}

const parser = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const address = pageAddress(href)
      return address === undefined ? text : `<a href="${escapeMarkup(address)}">${text}</a>`
    },
    // What scrolls can be reached by keyboard.
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeMarkup(text)}</code></pre>\n`
    },
    // Comments are for the tests that run the examples.
    html({ text }) {
      return text.startsWith('<!--') ? '' : escapeMarkup(text)
    },
    table({ header, rows }) {
      const cells = (row: readonly Tokens.TableCell[], tag: string, attributes = '') =>
        `<tr>${row.map(({ tokens }) => `<${tag}${attributes}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const head = header.some(({ text }) => text !== '') ? `<thead>${cells(header, 'th', ' scope="col"')}</thead>` : ''
      return `<table>${head}<tbody>\n${rows.map((row) => cells(row, 'td')).join('\n')}\n</tbody></table>\n`
    },
  },
})

export const guideStyle = `${pageStyle}
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
nav [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
h2 { margin-top: 2.5rem; }
:target { scroll-margin-top: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; text-align: left; vertical-align: top; }
tbody tr { border-top: 1px solid var(--line); }
code { padding: 0.1em 0.3em; border-radius: 0.25rem; background: var(--surface); font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
pre { border-color: var(--line); background: var(--surface); }
pre code { padding: 0; }
@media (max-width: 40rem) {
  tr { display: block; padding: 0.5rem 0; }
  th, td { display: block; padding: 0.125rem 0; }
}
`
