import { escapeMarkup, removeHidden } from '../core/text.ts'

type Attributes = Readonly<Record<string, string | number>>

/** An element, on lines of its own. */
export interface XmlElement {
  readonly opening: string
  /** Undefined for an element on one line. They are made as they are written. */
  readonly children?: Iterable<XmlElement>
  readonly closing?: string
}

/** An element with elements in it. Texts from outside are escaped, and lose the characters that XML does not have. */
export function element(name: string, attributes: Attributes, children: Iterable<XmlElement> = []): XmlElement {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`)
  if (Array.isArray(children) && children.length === 0) return { opening: `<${name}${given.join('')}/>` }
  return { opening: `<${name}${given.join('')}>`, children, closing: `</${name}>` }
}

/** An element with text in it. */
export function textElement(name: string, text: string | number | boolean): XmlElement {
  return {
    opening: `<${name}>${xmlText(typeof text === 'boolean' ? String(text).toUpperCase() : String(text))}</${name}>`,
  }
}

/** Its lines. */
export function* xmlDocument(doctype: string, root: XmlElement): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${doctype}>\n`
  yield* linesOf(root, '')
}

function* linesOf({ opening, children = [], closing }: XmlElement, indent: string): Generator<string> {
  yield `${indent}${opening}\n`
  for (const child of children) yield* linesOf(child, `${indent}  `)
  if (closing !== undefined) yield `${indent}${closing}\n`
}

/** Line breaks and tabs, between words. */
const breaks = /[\t-\r\u2028\u2029]+/g

/** Most texts are names and numbers of ours, with nothing to escape. */
const plain = /^[\w .:-]*$/

function xmlText(text: string): string {
  return plain.test(text) ? text : escapeMarkup(removeHidden(text.replaceAll(breaks, ' ')))
}
