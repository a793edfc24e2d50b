import { z } from 'zod'
import { mapInTurns, nextTurn } from './turns.ts'

// JSON of many megabytes in parts, because JSON.parse and JSON.stringify would hold up the process until the end.

/** Characters that are parsed at once, in about a millisecond. */
const partLength = 100_000

/** A list or an object whose end is not found yet. */
interface Container {
  readonly isList: boolean
  readonly start: number
  /** Where the text of further members begins. */
  from: number
  readonly members: [name: string, value: unknown][]
}

/** As `JSON.parse`, for JSON that this service or its database wrote. */
export async function parseLongJson(text: string, maxLength = partLength): Promise<unknown> {
  if (text.length <= maxLength) return JSON.parse(text)
  const whole: Container = { isList: true, start: 0, from: 0, members: [] }
  const within: Container[] = []
  for (let at = 0; at < text.length; at += 1) {
    const container = within.at(-1) ?? whole
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at)
        break
      case '[':
      case '{':
        within.push({ isList: text[at] === '[', start: at, from: at + 1, members: [] })
        break
      case ',':
        if (at - container.from <= maxLength) break
        addUntil(container, text, at)
        await nextTurn()
        break
      case ']':
      case '}':
        within.pop()
        // A short one is parsed with the members beside it.
        if (at - container.start > maxLength) addContainer(within.at(-1) ?? whole, container, text, at)
    }
  }
  addUntil(whole, text, text.length)
  const [value, second] = whole.members
  if (!value || second || within.length > 0) throw new SyntaxError('no JSON')
  return value[1]
}

/** Adds the members up to a position. The comma that follows the member before may be the first character. */
function addUntil(container: Container, text: string, to: number, closing = ''): void {
  const { isList, members } = container
  const added = `${text.slice(container.from, to).replace(/^\s*,/, '')}${closing}`
  for (const member of membersOf(JSON.parse(isList ? `[${added}]` : `{${added}}`))) members.push(member)
  container.from = to
}

function membersOf(parsed: unknown): [string, unknown][] {
  return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
}

/** Adds a list or an object that ends at this position. */
function addContainer(parent: Container, container: Container, text: string, at: number): void {
  addUntil(container, text, at)
  addUntil(parent, text, container.start, 'null')
  const name = parent.members.pop()?.[0] ?? ''
  parent.members.push([name, contentOf(container)])
  parent.from = at + 1
}

/** As `z.array(item).parse`. */
export function parseItems<Item>(item: z.ZodType<Item>, list: unknown): Promise<Item[]> {
  return mapInTurns(z.array(z.unknown()).parse(list), (each) => item.parse(each))
}

function contentOf({ isList, members }: Container): unknown {
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members)
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let unescaped = at
    while (text[unescaped - 1] === '\\') unescaped -= 1
    if ((at - unescaped) % 2 === 0) return at
  }
  return text.length
}

/** Members of a list that are written at once. */
const partMembers = 500

/** The parts of what `JSON.stringify` returns. */
export function* longJsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listParts(value)
  else if (typeof value === 'object' && value !== null && !('toJSON' in value)) yield* objectParts(value)
  else yield JSON.stringify(value) ?? 'null'
}

function* listParts(list: readonly unknown[]): Generator<string> {
  yield '['
  for (let from = 0; from < list.length; from += partMembers) {
    if (from > 0) yield ','
    if (list.length > partMembers) yield JSON.stringify(list.slice(from, from + partMembers)).slice(1, -1)
    // The few members may be long.
    else
      for (const [index, member] of list.entries()) {
        if (index > 0) yield ','
        yield* longJsonParts(member)
      }
  }
  yield ']'
}

function* objectParts(object: object): Generator<string> {
  let before = '{'
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* longJsonParts(member)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
