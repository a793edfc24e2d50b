import * as z from 'zod/mini'

const scalar = z.looseObject({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  anyOf: z.optional(z.array(z.looseObject({ type: z.optional(z.string()) }))),
  description: z.optional(z.string()),
})

const schema = z.looseObject({
  ...scalar.shape,
  default: z.optional(z.unknown()),
  items: z.optional(z.looseObject({ ...scalar.shape, properties: z.optional(z.record(z.string(), scalar)) })),
})

const settings = z.looseObject({ properties: z.optional(z.record(z.string(), schema)) })

/** What the page reads of an endpoint of the catalog. One that does not run yet has no settings. */
const endpointSchema = z.looseObject({
  id: z.string(),
  summary: z.string(),
  needs: z.object({ media: z.boolean() }),
  settings,
})

export type SettingSchema = z.output<typeof schema>
export type ScalarSchema = z.output<typeof scalar>

/** The settings that a form asks for: of an endpoint, or of a step of a chain. */
export interface SettingsForm {
  readonly endpoint: string
  readonly properties: Readonly<Record<string, SettingSchema>>
}

/** An endpoint, or a chain of several, as a form. */
export interface Offer {
  readonly kind: 'endpoint' | 'chain'
  readonly id: string
  readonly summary: string
  readonly readsMedia: boolean
  /** One for an endpoint, one for each step of a chain. */
  readonly forms: readonly SettingsForm[]
}

interface Workflow {
  readonly id: string
  readonly summary: string
  readonly stage: 'live' | 'preview'
  readonly steps: readonly { readonly endpoint: string; readonly filled: readonly string[] }[]
}

/** What the service runs: its endpoints and, where it runs every step, its chains. */
export function offersOf(catalog: readonly unknown[], workflows: readonly Workflow[]): Offer[] {
  const endpoints = catalog.flatMap((endpoint) => endpointSchema.safeParse(endpoint).data ?? [])
  const offered = endpoints.map(
    ({ id, summary, needs, settings: { properties = {} } }): Offer => ({
      ...{ kind: 'endpoint', id, summary, readsMedia: needs.media },
      forms: [{ endpoint: id, properties }],
    }),
  )
  const formOf = ({ endpoint, filled }: Workflow['steps'][number]): SettingsForm[] => {
    const properties = offered.find(({ id }) => id === endpoint)?.forms[0]?.properties ?? {}
    const open = Object.entries(properties).filter(([name]) => !filled.includes(name))
    return open.length === 0 ? [] : [{ endpoint, properties: Object.fromEntries(open) }]
  }
  const chains = workflows
    .filter(({ stage }) => stage === 'live')
    .map(
      ({ id, summary, steps }): Offer => ({
        kind: 'chain',
        id,
        summary,
        readsMedia: true,
        forms: steps.flatMap(formOf),
      }),
    )
  return [...offered, ...chains]
}

/** What is sent for an offer, beside its id. */
export interface RequestBody {
  readonly media_url?: string
  readonly start?: number | string
  readonly end?: number | string
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface PlaygroundRequest {
  readonly kind: Offer['kind']
  readonly id: string
  readonly body: RequestBody
}

/** The name of a setting's field in the form. */
export function fieldName({ endpoint }: SettingsForm, setting: string): string {
  return `settings.${endpoint}.${setting}`
}

/** The request of a filled form. What is left empty is left out, so that the service's own defaults hold. */
export function requestOf({ kind, id, readsMedia, forms }: Offer, form: FormData): PlaygroundRequest {
  const sent = (name: string) => textsOf(form, name)[0] ?? ''
  const url = sent('url') || sent('upload')
  const given = forms.map(
    (each) =>
      [
        each.endpoint,
        withoutUnset(
          Object.entries(each.properties).map(([name, property]) => [
            name,
            settingOf(form, fieldName(each, name), property),
          ]),
        ),
      ] as const,
  )
  const ofSteps = Object.fromEntries(given.filter(([, values]) => Object.keys(values).length > 0))
  const settings = kind === 'chain' ? ofSteps : (given[0]?.[1] ?? {})
  return {
    kind,
    id,
    body: {
      ...(readsMedia && url ? { media_url: url } : {}),
      ...(sent('start') ? { start: timeOf(sent('start')) } : {}),
      ...(sent('end') ? { end: timeOf(sent('end')) } : {}),
      ...(Object.keys(settings).length > 0 ? { settings } : {}),
    },
  }
}

function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''))
}

function withoutUnset(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** A list whose entries have one value each, or a few with names, is filled in by rows. */
export interface Columns {
  /** Of a list of single values, one without a name. */
  readonly columns: readonly { readonly name: string; readonly schema: ScalarSchema }[]
}

const mostColumns = 4

/** How a list is filled in by rows. Undefined for lists that are not simple, and for all else. */
export function columnsOf({ type, items }: SettingSchema): Columns | undefined {
  if (type !== 'array' || !items) return undefined
  if (isScalar(items)) return { columns: [{ name: '', schema: items }] }
  const columns = Object.entries(items.properties ?? {}).map(([name, each]) => ({ name, schema: each }))
  const isSimple = columns.length > 0 && columns.length <= mostColumns && columns.every((each) => isScalar(each.schema))
  return isSimple ? { columns } : undefined
}

function isScalar({ type, anyOf }: ScalarSchema): boolean {
  const types = anyOf ? anyOf.map((each) => each.type) : [type]
  return types.every((each) => each === 'string' || each === 'number' || each === 'integer')
}

/** The value of a setting, or undefined where nothing was filled in. */
function settingOf(form: FormData, name: string, property: SettingSchema): unknown {
  const rows = columnsOf(property)
  if (rows) return listOf(form, name, rows)
  const [text = ''] = textsOf(form, name)
  return text === '' ? undefined : settingValue(text, property)
}

function listOf(form: FormData, name: string, { columns }: Columns): unknown[] | undefined {
  const cells = columns.map((column) => textsOf(form, cellName(name, column)))
  const rows = (cells[0] ?? [])
    .map((_, row) =>
      columns.map(({ name: column, schema: each }, at) => ({ column, each, text: cells[at]?.[row] ?? '' })),
    )
    .filter((row) => row.some(({ text }) => text !== ''))
  if (rows.length === 0) return undefined
  return rows.map((row) => {
    const [first] = row
    if (first?.column === '') return settingValue(first.text, first.each)
    return withoutUnset(row.map(({ column, each, text }) => [column, cellOf(text, each)]))
  })
}

/** The name of a column's fields in the form. */
export function cellName(setting: string, { name }: Columns['columns'][number]): string {
  return name === '' ? setting : `${setting}.${name}`
}

/** An empty cell is an empty text where the service takes one, such as for the end of the media. */
function cellOf(text: string, column: ScalarSchema): unknown {
  if (text !== '') return settingValue(text, column)
  return column.anyOf?.some(({ type }) => type === 'string') ? '' : undefined
}

/** Seconds are a number. Other forms, such as 1:30, the service reads, or refuses with the forms that it takes. */
function timeOf(text: string): number | string {
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds : text
}

/** A text stays a text where the setting is one. Others are JSON, such as a number or a list, and what is not JSON is a text, such as auto. */
function settingValue(text: string, { type }: ScalarSchema): unknown {
  if (type === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
