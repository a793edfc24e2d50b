import { z } from 'zod'
import { upperFirst } from '../../src/core/text.ts'

type Schema = Readonly<Record<string, unknown>>

const schemaOf = (value: unknown): Schema => z.record(z.string(), z.unknown()).parse(value ?? {})
const listOf = (value: unknown): Schema[] => z.array(z.unknown()).default([]).parse(value).map(schemaOf)
const names = z.array(z.string()).default([])

/** The component schemas of an OpenAPI document as TypedDicts: what mypy --strict knows of answers and requests. A new field of the service breaks none of them. */
export function pythonTypes(schemas: Readonly<Record<string, unknown>>): string {
  const classes: string[] = []
  const declare = (name: string, schema: Schema): string => {
    const properties = Object.entries(schemaOf(schema['properties']))
    const required = new Set(names.parse(schema['required']))
    const fields = properties.map(([field, value]): [string, string] => {
      const type = typeOf(schemaOf(value), `${name}${pascal(field)}`)
      return [field, required.has(field) ? type : `NotRequired[${type}]`]
    })
    const isPlain = fields.every(([field]) => /^[a-z_]\w*$/i.test(field) && !keywords.has(field))
    classes.push(
      isPlain
        ? `class ${name}(TypedDict):\n${fields.map(([field, type]) => `    ${field}: ${type}`).join('\n') || '    pass'}\n`
        : `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(([field, type]) => `        "${field}": ${quoted(type)},`).join('\n')}\n    },\n)\n`,
    )
    return name
  }
  const typeOf = (schema: Schema, name: string): string =>
    valueType(schema) ??
    choiceType(schema, name) ??
    containerType(schema, name) ??
    scalars[String(schema['type'])] ??
    'Any'

  const choiceType = (schema: Schema, name: string): string | undefined => {
    const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
    // `required` alone narrows an object, which a TypedDict cannot.
    const types = choices.filter((choice) => 'type' in choice || !('required' in choice))
    if (types.length > 0) return union(types.map((choice, index) => typeOf(choice, `${name}${index + 1}`)))
    const [only, ...more] = listOf(schema['allOf'])
    if (only && more.length === 0) return typeOf(only, name)
    const { type } = schema
    return Array.isArray(type) ? union(type.map((one) => typeOf({ ...schema, type: one }, name))) : undefined
  }

  const containerType = (schema: Schema, name: string): string | undefined => {
    const { type, properties, items, additionalProperties: others } = schema
    if (type === 'array') return `list[${typeOf(schemaOf(items), `${name}Item`)}]`
    if (type !== 'object') return undefined
    if (properties) return `"${declare(name, schema)}"`
    return `dict[str, ${typeof others === 'object' ? typeOf(schemaOf(others), `${name}Value`) : 'Any'}]`
  }

  const aliases = Object.entries(schemas).flatMap(([name, value]) => {
    const schema = schemaOf(value)
    if (schema['properties']) declare(name, schema)
    return schema['properties'] ? [] : [`${name} = ${typeOf(schema, name)}\n`]
  })
  const head =
    'from __future__ import annotations\n\nfrom typing import Any, Literal, Union\n\nfrom typing_extensions import NotRequired, TypedDict\n'
  return [head, ...classes, ...aliases].join('\n\n')
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
const keywords = new Set([
  'from',
  'in',
  'is',
  'as',
  'class',
  'def',
  'global',
  'import',
  'not',
  'or',
  'and',
  'with',
  'pass',
])

const pascal = (name: string) => name.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase())
const quoted = (type: string) => (type.startsWith('"') ? type : `"${type.replaceAll('"', "'")}"`)
const union = (types: readonly string[]) => {
  const all = [...new Set(types)]
  return all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`
}
/** The type of a value that the schema names. */
function valueType(schema: Schema): string | undefined {
  const { $ref, enum: values } = schema
  if (typeof $ref === 'string') return `"${$ref.split('/').at(-1)}"`
  if ('const' in schema) return literal([schema['const']])
  return Array.isArray(values) ? literal(values) : undefined
}

const pythonOf = (value: unknown) =>
  value === null || typeof value === 'boolean'
    ? upperFirst(String(value).replace('null', 'none'))
    : JSON.stringify(value)
const literal = (values: readonly unknown[]) => `Literal[${values.map(pythonOf).join(', ')}]`

/** A job of each endpoint, and the call that runs one: `R` is the job, or an awaitable of it. */
export function pythonJobs(ids: readonly string[]): string {
  const classOf = (id: string) => pascal(id)
  const jobs = ids.map(
    (id) =>
      `class ${classOf(id)}Job(JobFields):\n    endpoint: Literal["${id}"]\n    result: types.${classOf(id)}Result\n`,
  )
  const calls = (answer: (job: string) => string) =>
    ids
      .map(
        (id) =>
          `    @overload\n    def __call__(\n        self,\n        endpoint: Literal["${id}"],\n        *,\n        settings: types.${classOf(id)}Settings = ...,\n        idempotency_key: str | None = None,\n        timeout_seconds: float | None = None,\n        on_progress: Callable[[float], None] | None = None,\n        **request: Unpack[RequestFields],\n    ) -> ${answer(`${classOf(id)}Job`)}: ...\n`,
      )
      .join('\n')
  return [
    'from __future__ import annotations\n\nfrom collections.abc import Awaitable, Callable\nfrom typing import Any, Literal, Protocol, overload\n\nfrom typing_extensions import NotRequired, TypedDict, Unpack\n\nfrom . import types_gen as types\n',
    'class JobFields(TypedDict):\n    """The fields of every completed job."""\n\n    id: str\n    status: Literal["completed"]\n    progress: float\n    warnings: list[str]\n    created_at: str\n    run_id: NotRequired[str]\n    media: NotRequired[types.JobMedia]\n    media_seconds: NotRequired[float]\n    metadata: NotRequired[dict[str, str]]\n    final_price_usd: NotRequired[float]\n',
    'class RequestFields(TypedDict, total=False):\n    """What a job is created with, beside its endpoint and settings."""\n\n    media_url: str\n    start: float | str\n    end: float | str\n    metadata: dict[str, str]\n    callback_url: str\n',
    ...jobs,
    `class RunJob(Protocol):\n    """Creates a job and waits for its result, which is typed by its endpoint."""\n\n${calls((job) => job)}`,
    `class RunJobAsync(Protocol):\n    """Creates a job and waits for its result, which is typed by its endpoint."""\n\n${calls((job) => `Awaitable[${job}]`)}`,
  ].join('\n\n')
}
