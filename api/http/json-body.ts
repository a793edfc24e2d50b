import type { FastifyInstance } from 'fastify'
import { invalidRequest, ServiceError } from '../../src/core/errors.ts'
import { scanJson } from './scan-json.ts'

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
