import { z } from 'zod'
import { nearestNames } from './nearest-names.ts'

type Issue = z.core.$ZodIssue

const maxProblems = 5

interface StrictOptions {
  readonly kind?: string
  /** Where a field belongs that is right in another place, or undefined. */
  readonly placeOf?: (name: string) => string | undefined
}

/** An object without other fields. A misspelt field is refused with the name that was probably meant. */
export function strictFields<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { kind = 'field', placeOf = () => undefined }: StrictOptions = {},
) {
  return z.strictObject(shape, {
    error: (issue) => {
      const name = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
      return name === undefined ? undefined : (placeOf(name) ?? describeUnknown(kind, name, Object.keys(shape)))
    },
  })
}

/** `unknown field "scopes". Did you mean scope?` */
export function describeUnknown(kind: string, given: string, names: readonly string[], of = ''): string {
  const nearest = nearestNames(given, names)
  const possible = names.length === 0 ? `There is no ${kind} here` : `Use ${names.join(', ')}`
  const advice = nearest.length === 0 ? possible : `Did you mean ${nearest.join(' or ')}?`
  return `unknown ${kind} ${JSON.stringify(given.slice(0, 60))}${of}. ${advice}`
}

/**
 * Describes what a schema found, in one sentence, such as `settings.threshold: expected number to be <=1.` `root` is the name
 * of the whole document.
 */
export function describeIssues(issues: readonly Issue[], root: string, within: readonly PropertyKey[] = []): string {
  const problems = issues.map(({ path, message }) => describeIssue(describePath([...within, ...path]) || root, message))
  const text = [...new Set(problems)].slice(0, maxProblems).join('; ')
  return /[.?]$/.test(text) ? text : `${text}.`
}

function describeIssue(field: string, message: string): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (!expected) return `${field}: ${lowerFirst(message.replace(/^Too (?:small|big): /, ''))}`
  if (received === 'undefined') return `${field} is required`
  const kind = expected === 'record' ? 'object' : expected
  return `${field}: expected ${kind}${received === 'NaN' ? '' : `, not ${received}`}`
}

/** A place in a caller's document: `settings.ranges[0].end`. */
export function describePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    const name = String(part)
    if (!/^\w+$/.test(name)) return `${before}[${JSON.stringify(name.slice(0, 60))}]`
    return before ? `${before}.${name}` : name
  }, '')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
