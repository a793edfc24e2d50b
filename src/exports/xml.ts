import { escapeMarkup, removeHidden } from '../core/text.ts'

type Attributes = Readonly<Record<string, string | number>>

/** An element with elements in it. Texts from outside are escaped, and lose the characters that XML does not have. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`)
  if (children.length === 0) return `<${name}${given.join('')}/>`
  return `<${name}${given.join('')}>\n${indented(children)}\n</${name}>`
}

/** An element with text in it. */
export function textElement(name: string, text: string | number | boolean): string {
  return `<${name}>${xmlText(typeof text === 'boolean' ? String(text).toUpperCase() : String(text))}</${name}>`
}

export function xmlDocument(doctype: string, root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${doctype}>\n${root}\n`
}

function indented(children: readonly string[]): string {
  return children.map((child) => child.replaceAll(/^/gm, '  ')).join('\n')
}

function xmlText(text: string): string {
  return escapeMarkup(removeHidden(text))
}
