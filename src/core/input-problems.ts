import { closestMatch } from 'leven'
import { z } from 'zod'

type Issue = z.core.$ZodIssue

const maxProblems = 5

interface StrictOptions {
  readonly kind?: string
  /** Where a field belongs that is right in another place, or undefined. */
  readonly placeOf?: (name: string) => string | undefined
  /** An object to send instead of a value of another type. */
  readonly example?: string
}

/** An object without other fields. A misspelt field is refused with the name that was probably meant. */
export function strictFields<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { kind = 'field', placeOf = () => undefined, example }: StrictOptions = {},
) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'invalid_type' && issue.input !== undefined && example !== undefined)
        return `send an object such as ${example}`
      const name = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
      return name === undefined ? undefined : (placeOf(name) ?? describeUnknown(kind, name, Object.keys(shape)))
    },
  })
}

/** `unknown field "scopes". Did you mean scope?` */
export function describeUnknown(kind: string, given: string, names: readonly string[], of = ''): string {
  const nearest = nearestName(given, names)
  const possible = names.length === 0 ? `There is no ${kind} here` : `Use ${names.join(', ')}`
  const advice = nearest === undefined ? possible : `Did you mean ${nearest}?`
  return `unknown ${kind} ${JSON.stringify(given.slice(0, 60))}${of}. ${advice}`
}

/**
 * Describes what a schema found, in one sentence, such as `settings.threshold: must be at most 1.` `root` is the name of the
 * whole document.
 */
export function describeIssues(issues: readonly Issue[], root: string, within: readonly PropertyKey[] = []): string {
  const problems = issues.map((issue) => describeIssue(describePath([...within, ...issue.path]) || root, issue))
  const text = [...new Set(problems.map((problem) => problem.replace(/\.$/, '')))].slice(0, maxProblems).join('; ')
  return /[.?]$/.test(text) ? text : `${text}.`
}

function describeIssue(field: string, issue: Issue): string {
  if (/^Invalid input: expected \w+, received undefined$/.test(issue.message)) return `${field} is required`
  // A message of the schema's own is for callers.
  const isOfZod = /^(Too (small|big): |Invalid )/.test(issue.message)
  return `${field}: ${isOfZod ? describeRule(issue) : lowerFirst(issue.message)}`
}

/** What the rules of zod ask for, without its notation. */
function describeRule(issue: Issue): string {
  switch (issue.code) {
    case 'too_small':
      return describeBound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'invalid_format':
      return `must be ${formNames[issue.format] ?? 'in the documented form'}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_value':
      return describeValues(issue.values.map(String), issue.input)
    case 'invalid_type':
      return describeType(issue.message, issue.input)
    case 'invalid_union':
      return describeUnion(issue.errors)
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return lowerFirst(issue.message)
  }
}

/** `given` is known only if the schema was parsed with `reportInput`. */
function describeValues(values: readonly string[], given: unknown): string {
  const nearest = typeof given === 'string' ? nearestName(given, values) : undefined
  const expected = `expected ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`
  return nearest === undefined ? expected : `${expected}. Did you mean ${nearest}?`
}

interface Bound {
  readonly origin: string
  readonly exact?: boolean | undefined
}

function describeBound({ origin, exact }: Bound, bound: number | bigint, atMost: string): string {
  const noun = { string: 'character', array: 'entry', set: 'entry', map: 'entry' }[origin]
  if (noun === undefined)
    return `must be ${atMost} ${origin === 'date' ? new Date(Number(bound)).toISOString() : bound}`
  const nouns = noun === 'entry' ? 'entries' : 'characters'
  return `must have ${exact ? 'exactly' : atMost} ${bound} ${Number(bound) === 1 ? noun : nouns}`
}

const formNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
}

/** `given` is known only if the schema was parsed with `reportInput`. */
function describeType(message: string, given: unknown): string {
  const [, expected = '', received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (expected === 'int') return 'expected a whole number'
  const kind = expected === 'record' ? 'object' : expected
  const meant = meantBy(given, expected)
  const advice = meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`
  return `expected ${kind}${received === 'NaN' ? '' : `, not ${received}`}${advice}`
}

/** Units that every number has which counts them: "-40dB", "5 s". Hours and minutes would be another number. */
const numberWithUnit = /^\s*[-+]?\d*\.?\d+\s*(?:dB|dBFS|LUFS|USD|px|pixels?|s|secs?|seconds?)?\s*$/i

/** The value of the expected type that a string stands for: a number with its unit, or the only entry of a list. */
function meantBy(given: unknown, expected: string): unknown {
  if (typeof given !== 'string' || given.length === 0 || given.length > 40) return undefined
  if (expected === 'array') return [given]
  const number = expected === 'number' && numberWithUnit.test(given) ? Number.parseFloat(given) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** The problem of the alternative whose type is the given one, or the types of all. */
function describeUnion(alternatives: readonly (readonly Issue[])[]): string {
  const first = alternatives.flatMap(([issue]) => issue ?? [])
  const near = first.find(({ code, path }) => (code !== 'invalid_type' && code !== 'invalid_value') || path.length > 0)
  if (near) return near.path.length > 0 ? describeIssue(describePath(near.path), near) : describeRule(near)
  const kinds = first.flatMap((issue) =>
    issue.code === 'invalid_value' ? issue.values.map(String) : (/expected (\w+)/.exec(issue.message)?.[1] ?? ''),
  )
  return kinds.length === 0 ? 'is not one of the possible values' : `expected ${[...new Set(kinds)].join(' or ')}`
}

/** A place in a caller's document: `settings.ranges[0].end`. */
export function describePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    const name = String(part).slice(0, 60)
    if (!/^\w+$/.test(name)) return `${before}[${JSON.stringify(name)}]`
    return before ? `${before}.${name}` : name
  }, '')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A typing error changes at most two characters. */
const maxEdits = 2
/** A shorter beginning is no sign of the name: `id`, `to`. */
const minPrefix = 3

/** The name that was probably meant: `threshold` for `treshold`, `start` for `startTime`, `media_url` for `media`. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > 60) return undefined
  const words = wordsOf(given)
  const form = words.join('')
  const byForm = new Map(names.map((name) => [wordsOf(name).join(''), name]))
  const maxDistance = Math.min(maxEdits, Math.floor(form.length / 3))
  const close = closestMatch(form, [...byForm.keys()], { maxDistance })
  if (close !== undefined) return byForm.get(close)
  return names.find((name) => {
    const ofName = wordsOf(name)
    const isBeginning = form.length >= minPrefix && ofName.join('').startsWith(form)
    return isBeginning || isPartOf(ofName, words) || isPartOf(words, ofName)
  })
}

/** `start_time`, `startTime` and `start-time` are the words start and time. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
}

function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  return part.length > 0 && part.every((word) => whole.includes(word))
}
