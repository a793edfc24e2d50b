import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const heading = '# Bench results\n'

/** Replaces a command's part of the page; other parts stay. */
export function writePart(file: string, part: string, text: string): void {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : heading
  writeFileSync(file, replacePart(page, part, text))
}

export function replacePart(page: string, part: string, text: string): string {
  const [start, end] = [`<!-- ${part} -->\n`, `<!-- /${part} -->\n`]
  const written = `${start}${text.trimEnd()}\n${end}`
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < 0) return `${page.trimEnd()}\n\n${written}`
  return page.slice(0, from) + written + page.slice(to + end.length)
}
