import type { FastifyInstance } from 'fastify'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'

export const jsonBodyLimit = 256 * 1024

/** Accepts only JSON bodies. An empty body counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: jsonBodyLimit },
    async (_request: unknown, body: string) => (body.trim() === '' ? undefined : parseJson(body)),
  )
}

/**
 * Parses JSON. Throws `invalid_request` also for JSON that parsers read differently (repeated keys, prototype keys), and
 * before parsing for JSON that takes long: deep nesting, very many fields, names or objects.
 */
export function parseJson(text: string): unknown {
  const ambiguity = scanJson(text)
  const value = parse(text)
  if (ambiguity !== undefined) throw invalidRequest(ambiguity)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    const where = position === undefined ? '' : `, from its character ${position} on`
    throw new ServiceError('invalid_request', `The body is not valid JSON${where}.`, { cause: error })
  }
}

const maxDepth = 32
/** All settings of all endpoints are fewer. Each unknown field is compared with the known ones. */
const maxFields = 100
/** Of the whole body, each counted once at each depth. `JSON.parse` is fast for objects with the same names. */
const maxNames = 1000
/** Objects and lists. The shortest valid segments that fit into a body are fewer. */
const maxObjects = 20_000
const forbiddenNames = ['__proto__', 'constructor', 'prototype']

/**
 * Walks the tokens of a text that need not be valid JSON, in a time that its length bounds. Throws `invalid_request` for
 * what would take `JSON.parse`, or the check of its value, much longer. Returns the first repeated or forbidden name,
 * which `JSON.parse` hides, as a message.
 */
function scanJson(text: string): string | undefined {
  const { open, close, addField } = createBounds()
  let ambiguity: string | undefined
  let stringStart = 0
  let stringEnd = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        stringStart = at
        stringEnd = endOfString(text, at)
        at = stringEnd - 1
        break
      case '{':
      case '[':
        open()
        break
      case '}':
      case ']':
        close()
        break
      case ':': {
        const name = nameOf(text.slice(stringStart, stringEnd))
        // `JSON.parse` reads no further either.
        if (name === undefined) return ambiguity
        ambiguity ??= addField(name)
        stringStart = stringEnd
      }
    }
  }
  return ambiguity
}

/** Where the string that starts at `start` ends: after its closing quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** The name that a string stands for, or undefined if it is missing or invalid. */
function nameOf(token: string): string | undefined {
  if (token === '') return undefined
  if (!token.includes('\\')) return token.slice(1, -1)
  try {
    return String(JSON.parse(token))
  } catch {
    return undefined
  }
}

/** The objects at one depth, of which one is open at a time. */
interface Level {
  current: number
  fields: number
  /** The last object that has the name. */
  readonly lastWith: Map<string, number>
}

function createBounds() {
  const levels: Level[] = []
  let depth = 0
  let objects = 0
  let names = 0

  const open = (): void => {
    objects += 1
    if (objects > maxObjects) throw invalidRequest(`The body has more than ${maxObjects} objects and lists.`)
    if (depth === maxDepth) throw invalidRequest(`The body is nested more than ${maxDepth} levels deep.`)
    const level = levels[depth] ?? { current: 0, fields: 0, lastWith: new Map<string, number>() }
    level.current = objects
    level.fields = 0
    levels[depth] = level
    depth += 1
  }

  const close = (): void => {
    depth = Math.max(0, depth - 1)
  }

  /** Returns what is wrong with the name. */
  const addField = (name: string): string | undefined => {
    const level = levels[depth - 1]
    if (!level) return undefined
    const last = level.lastWith.get(name)
    level.lastWith.set(name, level.current)
    level.fields += 1
    if (last === undefined) names += 1
    if (level.fields > maxFields) throw invalidRequest(`The body has an object of more than ${maxFields} fields.`)
    if (names > maxNames) throw invalidRequest(`The body has more than ${maxNames} different names of fields.`)
    if (forbiddenNames.includes(name)) return `The body uses the key ${name}, which is not allowed.`
    return last === level.current ? `The body has the key ${JSON.stringify(name.slice(0, 60))} twice.` : undefined
  }

  return { open, close, addField }
}
