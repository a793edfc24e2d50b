import { z } from 'zod'

export type Schema = Readonly<Record<string, unknown>>
export const schema = z.record(z.string(), z.unknown())

export const operation = z.object({
  parameters: z
    .array(z.object({ in: z.string(), name: z.string(), required: z.boolean().default(false), schema }))
    .default([]),
  body: schema.optional(),
  /** By status; true for those without JSON, or with the envelope of errors. */
  responses: z.record(z.string(), z.union([schema, z.literal(true)])),
})
export type Operation = z.output<typeof operation>

export interface Contract {
  readonly operations: ReadonlyMap<string, Operation>
  readonly components: ReadonlyMap<string, Schema>
}

interface Pair {
  /** Requests may become wider, responses richer. */
  readonly role: 'request' | 'response'
  readonly at: string
  readonly before: Schema
  readonly after: Schema
}

const schemas = z.array(schema).default([])
const strings = z.array(z.string()).default([])
const properties = z.record(z.string(), schema).default({})

/** Limits of a request's values. Any change of one is named, because few are and each is worth a look. */
const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems']
const rules = ['propertyNames', 'not', 'const', 'default']
const lists = ['anyOf', 'oneOf', 'allOf']
const parts = ['items', 'additionalProperties', 'then']

/** What a client of the old contract could notice in the new one. */
export function breakingChanges(old: Contract, now: Contract): string[] {
  const changes = new Set<string>()
  const seen = new Set<string>()
  const compare = (pair: Pair) => {
    const [was, is] = [nameOf(pair.before), nameOf(pair.after)]
    if (was === undefined && is === undefined) {
      for (const change of changesOf(pair)) changes.add(change)
      for (const part of partsOf(pair)) compare(part)
      return
    }
    const visit = `${pair.role} ${was ?? pair.at} ${is ?? pair.at}`
    if (seen.has(visit)) return
    seen.add(visit)
    const before = was === undefined ? pair.before : (old.components.get(was) ?? {})
    const after = is === undefined ? pair.after : (now.components.get(is) ?? {})
    compare({ role: pair.role, at: is ?? pair.at, before, after })
  }
  for (const [name, before] of old.operations) {
    const after = now.operations.get(name)
    if (!after) changes.add(`${name} is gone`)
    else {
      for (const change of changesOfParameters(name, before, after)) changes.add(change)
      for (const pair of pairsOf(name, before, after)) compare(pair)
    }
  }
  return [...changes].toSorted((a, b) => a.localeCompare(b))
}

function nameOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}

function changesOfParameters(name: string, before: Operation, after: Operation): string[] {
  const key = (each: Operation['parameters'][number]) => `${each.in} ${each.name}`
  const required = ({ parameters }: Operation) => parameters.filter((each) => each.required).map(key)
  const gone = before.parameters.map(key).filter((each) => !after.parameters.map(key).includes(each))
  const statuses = Object.keys(before.responses).filter((status) => !Object.hasOwn(after.responses, status))
  const others = Object.keys(before.responses).filter(
    (status) => (before.responses[status] === true) !== ((after.responses[status] ?? true) === true),
  )
  return [
    ...[...gone, ...statuses].map((each) => `${name}: ${each} is gone`),
    ...others.map((status) => `${name}: ${status} has another schema`),
    ...without(required(after), required(before)).map((each) => `${name}: ${each} is required`),
  ]
}

function pairsOf(name: string, before: Operation, after: Operation): Pair[] {
  const ofParameters = before.parameters.flatMap(({ in: place, name: parameter, schema: was }): Pair[] => {
    const today = after.parameters.find((each) => each.in === place && each.name === parameter)
    return today ? [{ role: 'request', at: `${name} ${parameter}`, before: was, after: today.schema }] : []
  })
  const ofBody: Pair[] = after.body
    ? [{ role: 'request', at: `${name} body`, before: before.body ?? {}, after: after.body }]
    : []
  const ofResponses = Object.entries(before.responses).flatMap(([status, was]): Pair[] => {
    const is = after.responses[status]
    const both = was !== true && is !== undefined && is !== true
    return both ? [{ role: 'response', at: `${name} ${status}`, before: was, after: is }] : []
  })
  return [...ofParameters, ...ofBody, ...ofResponses]
}

/** The schemas inside that both have. */
function partsOf({ role, at, before, after }: Pair): Pair[] {
  const [was, is] = [properties.parse(before['properties']), properties.parse(after['properties'])]
  const ofProperties = Object.entries(was).map(([name, each]) => ({
    at: `${at}.${name}`,
    before: each,
    after: is[name],
  }))
  const ofLists = lists.flatMap((name) => {
    const [old, now] = [schemas.parse(before[name]), schemas.parse(after[name])]
    if (!hasMembersOf(old, now)) return []
    const members = new Map(now.map((each, index) => [memberOf(each, index), each]))
    return old.map((each, index) => ({
      ...{ at: `${at}/${name}[${index}]`, before: each },
      after: members.get(memberOf(each, index)),
    }))
  })
  const others = parts.flatMap((name) => {
    const old = schema.safeParse(before[name]).data
    return old ? [{ at: `${at}/${name}`, before: old, after: schema.safeParse(after[name]).data }] : []
  })
  return [...ofProperties, ...ofLists, ...others].flatMap((each) =>
    each.after ? [{ role, ...each, after: each.after }] : [],
  )
}

/** What a member of a list is for: a component, a condition such as an endpoint's, or its place. */
function memberOf({ $ref, if: condition }: Schema, index: number): string {
  return JSON.stringify($ref ?? condition ?? index)
}

/** Whether all members are still there. New components and conditions, such as those of a new endpoint, are additions. */
function hasMembersOf(old: readonly Schema[], now: readonly Schema[]): boolean {
  const [was, is] = [old.map(memberOf), now.map(memberOf)]
  const isNew = (member: string) => !was.includes(member)
  return (
    without(was, is).length === 0 &&
    (was.length > 0 || is.length === 0) &&
    is.filter(isNew).every((member) => !/^\d+$/.test(member))
  )
}

/** The changes of a schema itself. */
function changesOf(pair: Pair): string[] {
  const { role, at, before, after } = pair
  const [wide, narrow] = role === 'request' ? [after, before] : [before, after]
  const gone = without(
    Object.keys(properties.parse(before['properties'])),
    Object.keys(properties.parse(after['properties'])),
  )
  const required = without(strings.parse(wide['required']), strings.parse(narrow['required']))
  const types = typesOf(wide)
  return [
    ...gone.map((name) => `${role} ${at}.${name} is gone`),
    ...required.map((name) => `${role} ${at}.${name} is ${role === 'request' ? 'required' : 'optional'}`),
    ...(types.length > 0 && (typesOf(narrow).length === 0 || without(typesOf(narrow), types).length > 0)
      ? [`${role} ${at} has another type`]
      : []),
    ...lists
      .filter(
        (name) =>
          schemas.parse(wide[name]).length > 0 &&
          !hasMembersOf(schemas.parse(before[name]), schemas.parse(after[name])),
      )
      .map((name) => `${role} ${at} has other ${name}`),
    ...(role === 'request' ? changesOfLimits(pair) : []),
  ]
}

function changesOfLimits({ at, before, after }: Pair): string[] {
  const [was, is] = [before, after].map((each) => z.array(z.unknown()).default([]).parse(each['enum']))
  const isClosed = after['additionalProperties'] === false && before['additionalProperties'] !== false
  return [
    ...(isClosed ? [`request ${at} refuses unknown fields`] : []),
    ...(is && is.length > 0 && was?.some((value) => !is.includes(value)) ? [`request ${at} has fewer values`] : []),
    ...[...limits, ...rules]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => `request ${at}: ${name} was ${JSON.stringify(before[name])}, is ${JSON.stringify(after[name])}`),
  ]
}

function typesOf({ type = [] }: Schema): string[] {
  return strings.parse([type].flat())
}

function without(all: readonly string[], some: readonly string[]): string[] {
  return all.filter((each) => !some.includes(each))
}
