import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'

export const jsonBodyLimit = 256 * 1024
const maxDepth = 32
/** All settings of all endpoints are fewer. Each unknown field is compared with the known ones. */
const maxFields = 100
const forbiddenKeys = ['__proto__', 'constructor', 'prototype']

/** Accepts only JSON bodies. An empty body counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: jsonBodyLimit },
    async (_request: unknown, body: string) => (body.trim() === '' ? undefined : parseJson(body)),
  )
}

/** Parses JSON. Throws `invalid_request` also for JSON that parsers read differently: repeated keys, prototype keys, deep nesting, very many keys. */
export function parseJson(text: string): unknown {
  const value = parse(text)
  assertUnambiguous(text)
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

/** Walks the tokens of valid JSON, because `JSON.parse` hides repeated keys. */
function assertUnambiguous(json: string): void {
  const open: Set<string>[] = []
  let lastText = ''
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addKey(open.at(-1), String(JSON.parse(lastText)))
    else lastText = token
    if (open.length > maxDepth)
      throw new ServiceError('invalid_request', `The body is nested more than ${maxDepth} levels deep.`)
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (forbiddenKeys.includes(key))
    throw new ServiceError('invalid_request', `The body uses the key ${key}, which is not allowed.`)
  if (keys?.has(key))
    throw new ServiceError('invalid_request', `The body has the key ${JSON.stringify(key.slice(0, 60))} twice.`)
  keys?.add(key)
  if (keys && keys.size > maxFields)
    throw new ServiceError('invalid_request', `The body has an object of more than ${maxFields} fields.`)
}
