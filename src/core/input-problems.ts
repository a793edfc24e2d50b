import { closestMatch } from 'leven'
import { z } from 'zod'

type Issue = z.core.$ZodIssue

const maxProblems = 5

/** An object without other fields. A misspelt field is refused with the name that was probably meant. */
export function strictFields<Shape extends z.core.$ZodLooseShape>(shape: Shape, kind = 'field') {
  return z.strictObject(shape, {
    error: (issue) => {
      const name = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
      return name === undefined ? undefined : describeUnknown(kind, name, Object.keys(shape))
    },
  })
}

/** `unknown field "scopes". Did you mean scope?` */
export function describeUnknown(kind: string, given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names)
  const advice = nearest === undefined ? `Use ${names.join(', ') || 'none'}` : `Did you mean ${nearest}?`
  return `unknown ${kind} ${JSON.stringify(given.slice(0, 60))}. ${advice}`
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

/** Other words for what bounds a job and its price. If they were ignored, more would be processed, or other work charged. */
const otherWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['from', 'begin', 'beginning', 'since', 'in', 's', 'ss']],
  [
    'end',
    [
      'to',
      'until',
      'till',
      'stop',
      'finish',
      'duration',
      'length',
      'limit',
      'out',
      'window',
      'range',
      'e',
      't',
      'seconds',
    ],
  ],
  ['threshold', ['noise', 'noiselevel', 'silencelevel']],
  ['min_silence_seconds', ['minduration', 'minlength', 'mingap', 'minpause']],
  ['settings', ['options', 'opts', 'params', 'parameters', 'arguments', 'args', 'config']],
  [
    'max_price_usd',
    [
      'budget',
      'maxcost',
      'costlimit',
      'pricelimit',
      'maxspend',
      'spendlimit',
      'cap',
      'pricecap',
      'costcap',
      'spendcap',
    ],
  ],
])

/** Words that change nothing beside another: `duration_seconds`, `clip_length`, `budget_usd`. */
const besides: ReadonlySet<string> = new Set(['clip', 'time', 'at', 's', 'sec', 'secs', 'seconds', 'ms', 'usd'])

/** A typing error changes at most two characters. */
const maxEdits = 2
/** A shorter beginning is no sign of the name: `id`, `to`. */
const minPrefix = 3

/** The name that was probably meant: `threshold` for `treshold`, `start` for `start_time` or `from`, `end` for `en` or `dur`. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > 60) return undefined
  const words = wordsOf(given)
  const form = words.join('')
  const byForm = new Map(names.map((name) => [wordsOf(name).join(''), name]))
  const forms = [...byForm.keys()]
  const maxDistance = Math.min(maxEdits, Math.floor(form.length / 3))
  const similar =
    forms.find((each) => isSwapped(form, each) || isSameUndoubled(form, each)) ??
    closestMatch(form, forms, { maxDistance }) ??
    forms.find((each) => isBeginning(form, each))
  if (similar !== undefined) return byForm.get(similar)
  return (
    names.find((name) => isPartOf(wordsOf(name), words) || isPartOf(words, wordsOf(name))) ?? boundMeantBy(words, names)
  )
}

/** Whether the given name begins this one. No other names are near `start` and `end`, so `st`, `en` and `endtime` count too. */
function isBeginning(given: string, name: string): boolean {
  const isEdge = name === 'start' || name === 'end'
  if (isEdge && given.startsWith(name)) return true
  return given.length >= (isEdge ? 2 : minPrefix) && name.startsWith(given)
}

/** The bound that is meant by another word. Only long words may have a wrong letter: `step` is not `stop`. */
function boundMeantBy(words: readonly string[], names: readonly string[]): string | undefined {
  const telling = words.filter((word) => !besides.has(word))
  const form = (telling.length > 0 ? telling : words).join('')
  const isMeant = (word: string) =>
    isSameUndoubled(form, word) ||
    (form.length >= minPrefix && word.startsWith(form)) ||
    (word.length >= 6 && (isSwapped(form, word) || closestMatch(form, [word], { maxDistance: 1 }) !== undefined))
  return names.find((name) => otherWords.get(name)?.some(isMeant))
}

/** Whether both are the same, each letter written once: `stopp`, `treshhold`. */
function isSameUndoubled(given: string, name: string): boolean {
  const once = (text: string) => text.replaceAll(/(.)\1+/g, '$1')
  return once(given) === once(name)
}

/** Whether two neighbors changed places: `edn`. Counted as two edits, that would be too many for a short name. */
function isSwapped(given: string, name: string): boolean {
  const at = given.split('').findIndex((letter, index) => letter !== name[index])
  const swapped = `${given.slice(0, at)}${given.charAt(at + 1)}${given.charAt(at)}${given.slice(at + 2)}`
  return at >= 0 && swapped === name
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
