import { readFile } from 'node:fs/promises'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { z } from 'zod'
import { type Chain, chains } from '../../src/chains/chains.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { exportFormats } from '../../src/exports/export-formats.ts'
import { withoutAwait } from './python-sync.ts'
import { pythonJobs, pythonTypes } from './python-types.ts'

const parameter = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  schema: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
})

const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ parameters: z.array(parameter).optional() }))),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

type Document = z.output<typeof document>

/** The files of the client libraries that are made from docs/openapi.json and from the declarations of endpoints and chains, by their paths. */
export async function clientTypes(root: string): Promise<Readonly<Record<string, string>>> {
  const openApi = document.parse(JSON.parse(await readFile(path.join(root, 'docs', 'openapi.json'), 'utf8')))
  const types = await openapiTS(JSON.stringify({ ...openApi, paths: {} }), {
    emptyObjectsUnknown: true,
    defaultNonNullable: false,
  })
  const ids = endpoints.map(({ id }) => id)
  const python = (name: string) => readFile(path.join(root, 'clients', 'python', 'src', 'media_timeline', name), 'utf8')
  return {
    'typescript/src/schema.gen.ts': `// ${heading}\n${astToString(types)}`,
    'typescript/src/endpoints.gen.ts': `// ${heading}\n${endpointTypes(openApi)}`,
    'typescript/src/cli/commands.gen.ts': `// ${heading}\n${commandTables(openApi)}`,
    'python/src/media_timeline/types_gen.py': `# ${heading}\n${pythonTypes(openApi.components.schemas)}`,
    'python/src/media_timeline/jobs_gen.py': `# ${heading}\n${pythonJobs(ids)}`,
    'python/src/media_timeline/_sync_clients_gen.py': `# ${heading}\n${withoutAwait(await python('_async_clients.py'))}`,
    'python/src/media_timeline/_sync_batches_gen.py': `# ${heading}\n${withoutAwait(await python('_async_batches.py'))}`,
  }
}

const heading = 'Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.\n'

const pascal = (id: string) => id.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A parameter of exports. */
function exportParameter({ paths }: Document, name: string) {
  const found = paths['/v1/jobs/{job_id}/export']?.['get']?.parameters?.find((each) => each.name === name)
  if (!found) throw new Error(`docs/openapi.json has no ${name} of exports`)
  return { text: found.description ?? '', values: found.schema?.enum ?? [] }
}

function endpointTypes(openApi: Document): string {
  const { components } = openApi
  const lines = endpoints.map(({ id }) => {
    for (const part of ['Settings', 'Result', 'Job']) {
      if (!Object.hasOwn(components.schemas, pascal(id) + part))
        throw new Error(`docs/openapi.json has no ${part} of ${id}`)
    }
    const [settings, result, job] = ['Settings', 'Result', 'Job'].map((part) => `Schemas['${pascal(id)}${part}']`)
    return `  '${id}': { settings: ${settings}; result: ${result}; job: ${job} }`
  })
  const { values: names } = exportParameter(openApi, 'as')
  return [
    "import type { components } from './schema.gen.ts'\n",
    "type Schemas = components['schemas']\n",
    '/** The settings, the result and the job of each endpoint. */',
    `export interface Endpoints {\n${lines.join('\n')}\n}\n`,
    '/** The formats of an export. */',
    `export type ExportFormat = ${names.map((name) => `'${name}'`).join(' | ')}\n`,
  ].join('\n')
}

/** What a command's help says of a setting, and whether its value is text as it stands. */
interface Setting {
  readonly text: string
  readonly isText?: true
  readonly isSwitch?: true
  readonly list?: 'texts' | 'ranges'
  readonly choices?: readonly string[]
  /** Of chains: the endpoints that it goes to. */
  readonly steps?: readonly string[]
}

function commandTables(openApi: Document): string {
  // Those that read no media work on the results of other jobs: for chains and code, not for a command line.
  const ofEndpoints = endpoints
    .filter(({ readsMedia }) => readsMedia)
    .map(({ id, summary }) => [id, { summary, settings: settingsOf(openApi, id) }])
  const ofChains = chains.map((chain) => [
    chain.id,
    { summary: chain.summary, settings: settingsOfChain(openApi, chain) },
  ])
  const lists = endpoints.map(({ id, exportNouns = {} }) => [id, exportNouns] as const)
  const choices = lists.filter(([, nouns]) => Object.keys(nouns).length > 1)
  const ofExports = (['what', 'jobs', 'fps'] as const).map((name) => {
    const { text, values } = exportParameter(openApi, name)
    return [name, [text, ...oneOf(values)].join(' ')] as const
  })
  const programs = Object.entries(exportFormats).map(([name, { description }]) => [name, description])
  const table = (name: string, rows: unknown[][]) =>
    `export const ${name}: Readonly<Record<string, CommandRow>> = ${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`
  return [
    '/** A setting of a command: `text` is for its help. `isText`: its value is never JSON. `list`: a list that needs no JSON. `choices`: all that it takes. `steps`: the endpoints of a chain that have it. */',
    'export interface SettingRow {\n  readonly text: string\n  readonly isText?: true\n  readonly isSwitch?: true\n  readonly list?: "texts" | "ranges"\n  readonly choices?: readonly string[]\n  readonly steps?: readonly string[]\n}\n',
    'export interface CommandRow {\n  readonly summary: string\n  readonly settings: Readonly<Record<string, SettingRow>>\n}\n',
    table('endpointCommands', ofEndpoints),
    table('chainCommands', ofChains),
    '/** Of endpoints whose jobs are exported by one of several lists: what an entry of each is. The first with entries is exported unless another is asked for. */',
    `export const exportLists: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(Object.fromEntries(choices), null, 2)}\n`,
    '/** Which programs read each format of an export. */',
    `export const exportFormats: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(programs), null, 2)}\n`,
    '/** What help says of the options of an export. */',
    `export const exportOptions = ${JSON.stringify(Object.fromEntries(ofExports), null, 2)} as const\n`,
  ].join('\n')
}

/** A type that a setting takes beside others. */
const choice = z.looseObject({
  type: z.string(),
  const: z.string().optional(),
  enum: z.array(z.string()).optional(),
})

const jsonSchema = z.looseObject({
  properties: z.record(
    z.string(),
    z.looseObject({
      type: z.unknown().optional(),
      anyOf: z.array(choice).default([]),
      items: z.looseObject({ type: z.unknown().optional(), required: z.array(z.string()).default([]) }).optional(),
      description: z.string().optional(),
      default: z.unknown().optional(),
      enum: z.array(z.string()).optional(),
    }),
  ),
})

function settingsOf({ components }: Document, id: string): Record<string, Setting> {
  const { properties } = jsonSchema.parse(components.schemas[`${pascal(id)}Settings`])
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, anyOf, items, description = '', default: usual, enum: values }]) => {
      const list = listOf(items)
      const parts = [
        shortened(description),
        list && (list === 'texts' ? 'With commas between.' : 'Such as 0:05-0:10,62-70.'),
        anyOf.length > 0 && `Takes ${anyOfThem.format(anyOf.flatMap(namesOf))}.`,
        usual !== undefined && JSON.stringify(usual) !== '[]' && `Default: ${JSON.stringify(usual)}.`,
      ]
      const text = parts.filter((part) => part).join(' ')
      return [
        name,
        {
          text,
          ...(type === 'string' && { isText: true as const }),
          ...(type === 'boolean' && { isSwitch: true as const }),
          ...(list && { list }),
          ...(values && { choices: values }),
        },
      ]
    }),
  )
}

const anyOfThem = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What a command line takes of a type: its words, or what is no word. */
function namesOf({ type, const: word, enum: words }: z.output<typeof choice>): readonly string[] {
  if (type === 'string') return words ?? (word === undefined ? [] : [word])
  return [type === 'object' ? 'a JSON object' : 'a number']
}

function oneOf(names: readonly string[]): readonly string[] {
  return names.length > 0 ? [`One of ${names.join(', ')}.`] : []
}

/** As many sentences as a few lines of help have room for, and always the first. */
function shortened(description: string): string {
  const sentences = description.split(/(?<=\.)\s+/)
  const texts = sentences.map((_, index) => sentences.slice(0, index + 1).join(' '))
  return texts.findLast((text) => text.length < 200) ?? texts[0] ?? ''
}

/** A list that a command line takes without JSON. */
function listOf(items: { readonly type?: unknown; readonly required: readonly string[] } | undefined) {
  if (items?.type === 'string') return 'texts' as const
  return items?.required.toSorted().join() === 'end,start' ? ('ranges' as const) : undefined
}

/** The settings that a caller of a chain can set. One that several steps have goes to each of them. */
function settingsOfChain(openApi: Document, { steps, inputsFrom }: Chain): Record<string, Setting> {
  const found = new Map<string, Setting & { steps: string[] }>()
  for (const step of steps) {
    const filled = new Set(inputsFrom[step]?.settings)
    for (const [name, setting] of Object.entries(settingsOf(openApi, step))) {
      if (filled.has(name)) continue
      const known = found.get(name)
      if (known) known.steps.push(step)
      else found.set(name, { ...setting, steps: [step] })
    }
  }
  return Object.fromEntries(found)
}
