import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { z } from 'zod'
import { keepReferenced } from '../../api/docs/openapi.ts'
import { endpointGroups } from '../../src/core/scopes.ts'
import { upperFirst } from '../../src/core/text.ts'

const operation = z.looseObject({ responses: z.record(z.string(), z.looseObject({})) })
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

/** The settings and results of endpoints, which change with each of them. */
const ofEndpoints = new RegExp(`^(${endpointGroups.map(upperFirst).join('|')})\\w+(Settings|Result)$`)

/**
 * The types of the dashboard's client, from docs/openapi.json: only the paths that it calls, without errors, which are one
 * envelope, headers, and the fields of endpoints, which would make most of the text.
 */
export async function apiTypes(root: string): Promise<string> {
  const { paths, components, ...rest } = document.parse(
    JSON.parse(await readFile(path.join(root, 'docs', 'openapi.json'), 'utf8')),
  )
  const called = await calledPaths(path.join(root, 'web', 'src'))
  const used = Object.entries(paths)
    .filter(([name]) => called.has(name))
    .map(([name, operations]) => [name, mapValues(operations, withoutErrors)] as const)
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, ofEndpoints.test(name) ? anyObject : schema]),
  )
  const kept = keepReferenced({ ...rest, paths: Object.fromEntries(used), components: { schemas } })
  const types = await openapiTS(JSON.stringify(kept), { emptyObjectsUnknown: true })
  return `${heading}\n${astToString(types)}`
}

/** The paths that the sources of the dashboard name. */
async function calledPaths(folder: string): Promise<Set<string>> {
  const sources = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const texts = await Promise.all(sources.map((name) => readFile(path.join(folder, name), 'utf8')))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\bapi\.[A-Z]+\(\s*'([^']+)'/g)].map(([, called = '']) => called)),
  )
}

const anyObject = { type: 'object', additionalProperties: true }

const heading = '// Made from docs/openapi.json: `npx vitest run test/web -u` makes it again.\n'

function withoutErrors({ responses, ...rest }: z.output<typeof operation>) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return {
    ...rest,
    responses: Object.fromEntries(successes.map(([status, { headers: _, ...kept }]) => [status, kept])),
  }
}

function mapValues<A, B>(values: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
