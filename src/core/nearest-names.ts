import { closestMatch } from 'leven'

/** Other words for what bounds a job and its price, and for shapes. If they were ignored, more would be processed, or other work charged. */
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
      'upto',
      'maxduration',
      'maximumduration',
      'maxlength',
      'maxminutes',
      'maxseconds',
      'minutes',
      'e',
      't',
      'seconds',
    ],
  ],
  ['media_seconds', ['duration', 'length', 'mediaduration', 'medialength']],
  ['job_id', ['runid']],
  ['threshold', ['noise', 'noiselevel', 'silencelevel']],
  ['min_silence_seconds', ['minduration', 'minlength', 'mingap', 'minpause']],
  ['settings', ['options', 'opts', 'params', 'parameters', 'arguments', 'args', 'config']],
  ['9:16', ['vertical', 'portrait', 'tiktok', 'reels', 'shorts', 'stories']],
  ['1:1', ['square']],
  ['16:9', ['horizontal', 'landscape', 'widescreen']],
  [
    'max_price_usd',
    [
      'budget',
      'maxcost',
      'maximumcost',
      'maximumprice',
      'costmax',
      'pricemax',
      'ceiling',
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

/**
 * The name that was probably meant: `threshold` for `treshold`, `start` for `start_time` or `from`, `end` for `en`. Several if another
 * word means each of them: `duration`.
 */
export function nearestNames(given: string, names: readonly string[]): string[] {
  if (given.length > 60) return []
  const words = wordsOf(given)
  const form = words.join('')
  const byForm = new Map(names.map((name) => [wordsOf(name).join(''), name]))
  const forms = [...byForm.keys()]
  const maxDistance = Math.min(maxEdits, Math.floor(form.length / 3))
  const similar =
    forms.find((each) => isSwapped(form, each) || isSameUndoubled(form, each) || isOtherNumber(form, each)) ??
    closestMatch(form, forms, { maxDistance }) ??
    forms.find((each) => isBeginning(form, each))
  const near =
    (similar !== undefined && byForm.get(similar)) ||
    names.find((name) => isPartOf(wordsOf(name), words) || isPartOf(words, wordsOf(name)))
  return near ? [near] : boundsMeantBy(words, names)
}

/** Whether the given name begins this one. No other names are near `start` and `end`, so `st`, `en` and `endtime` count too. */
function isBeginning(given: string, name: string): boolean {
  const isEdge = name === 'start' || name === 'end'
  if (isEdge && given.startsWith(name)) return true
  return given.length >= (isEdge ? 2 : minPrefix) && name.startsWith(given)
}

/** The bounds that are meant by another word. Only long words may have a wrong letter: `step` is not `stop`. */
function boundsMeantBy(words: readonly string[], names: readonly string[]): string[] {
  const telling = words.filter((word) => !besides.has(word))
  const form = (telling.length > 0 ? telling : words).join('')
  const isMeant = (word: string) =>
    isSameUndoubled(form, word) ||
    (form.length >= minPrefix && word.startsWith(form)) ||
    (word.length >= 6 && (isSwapped(form, word) || closestMatch(form, [word], { maxDistance: 1 }) !== undefined))
  return names.filter((name) => otherWords.get(name)?.some(isMeant))
}

/** Whether both are the same, each letter written once: `stopp`, `treshhold`. */
function isSameUndoubled(given: string, name: string): boolean {
  const once = (text: string) => text.replaceAll(/(.)\1+/g, '$1')
  return once(given) === once(name)
}

/** Whether one is the plural of the other: `query`, `queries`. */
function isOtherNumber(given: string, name: string): boolean {
  const singular = (word: string) => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
  return singular(given) === singular(name)
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
