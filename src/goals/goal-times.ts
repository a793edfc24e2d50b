// The times that a goal names, such as "the first 30 seconds".

/** Times as a job takes them; a blank end is the end of the media. */
export interface GoalWindow {
  readonly start: string
  readonly end: string
}

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?`
const count = String.raw`\d+(?:\.\d+)?`
const secondsUnit = '(?:s|secs?|seconds?)'
const minutesUnit = '(?:m|mins?|minutes?)'
const until = String.raw`\s*(?:to|until|till|and|-|–)\s*`
/** Between clocks, "and" is also that of several moments. */
const untilClock = String.raw`\s*(?:to|until|till|-|–)\s*`
const after = '(?:after|past|since)(?: the)?'

const numberWords: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 },
}
const spelled = `(${Object.keys(numberWords).join('|')})`
const spelledTimes = [
  new RegExp(`\\b${spelled}(?= (?:${secondsUnit}|${minutesUnit})\\b)`, 'g'),
  new RegExp(`(?<=\\bminutes? )${spelled}\\b`, 'g'),
]
/** `1h02m`, `2 min 30 s`. */
const next = String.raw`,? ?(?:and )?(\d{1,2}) ?`
const hoursAndMinutes = new RegExp(
  `\\b(\\d{1,2}) ?(?:h|hrs?|hours?)${next}${minutesUnit}(?:${next}${secondsUnit})?\\b`,
  'g',
)
const minutesAndSeconds = new RegExp(`\\b(\\d{1,2}) ?${minutesUnit}${next}${secondsUnit}\\b`, 'g')

/** Writes spelled numbers as digits, and times of several units with colons. */
function withDigits(goal: string): string {
  const digits = spelledTimes.reduce((text, form) => text.replaceAll(form, (word) => String(numberWords[word])), goal)
  const colons = (...parts: readonly string[]) => parts.map((part) => part.padStart(2, '0')).join(':')
  return digits
    .replaceAll(hoursAndMinutes, (_whole, hour: string, minute: string, second = '0') =>
      colons(hour, minute, String(second)),
    )
    .replaceAll(minutesAndSeconds, (_whole, minute: string, second: string) => colons(minute, second))
}

/** Each form of times, with the times that it names. The longest come first. */
const forms: readonly { readonly pattern: RegExp; readonly times: (...parts: string[]) => readonly string[] }[] = [
  { pattern: new RegExp(`(${clock})${untilClock}(${clock})`, 'g'), times: (start = '', end = '') => [start, end] },
  { pattern: new RegExp(`\\bbetween (${clock}) and (${clock})`, 'g'), times: (start = '', end = '') => [start, end] },
  {
    pattern: new RegExp(`\\b(?:minutes? )?(${count})${until}(?:minutes? )?(${count}) ?${minutesUnit}\\b`, 'g'),
    times: (start, end) => [minutes(start), minutes(end)],
  },
  {
    pattern: new RegExp(`\\bminutes? (${count})${until}(?:minutes? )?(${count})\\b`, 'g'),
    times: (a, b) => [minutes(a), minutes(b)],
  },
  {
    pattern: new RegExp(`\\b(${count}) ?${secondsUnit}?${until}(${count}) ?${secondsUnit}\\b`, 'g'),
    times: (a = '', b = '') => [a, b],
  },
  { pattern: new RegExp(`\\bbetween (${count}) and (${count})\\b`, 'g'), times: (a = '', b = '') => [a, b] },
  { pattern: new RegExp(`\\bfirst (${count}) ?${secondsUnit}\\b`, 'g'), times: (end = '') => ['0', end] },
  { pattern: new RegExp(`\\bfirst (${count}) ?${minutesUnit}\\b`, 'g'), times: (end) => ['0', minutes(end)] },
  { pattern: new RegExp(`\\blast (${count}) ?${secondsUnit}\\b`, 'g'), times: (length) => [beforeEnd(length), ''] },
  {
    pattern: new RegExp(`\\blast (${count}) ?${minutesUnit}\\b`, 'g'),
    times: (length) => [beforeEnd(minutes(length)), ''],
  },
  {
    pattern: new RegExp(`\\b(?:everything|all|anything|part|parts) (?:that is )?before (${clock})`, 'g'),
    times: (end = '') => ['0', end],
  },
  { pattern: new RegExp(`\\b${after} (${clock})`, 'g'), times: (start = '') => [start, ''] },
  { pattern: new RegExp(`\\b${after} minute (${count})\\b`, 'g'), times: (start) => [minutes(start), ''] },
  { pattern: new RegExp(`\\b${after} (${count}) ?${minutesUnit}\\b`, 'g'), times: (start) => [minutes(start), ''] },
  {
    pattern: new RegExp(`\\b${after} (?:second (${count})|(${count}) ?${secondsUnit})\\b`, 'g'),
    times: (start = '') => [start, ''],
  },
  { pattern: new RegExp(`(${clock})`, 'g'), times: (time = '') => [time] },
  { pattern: new RegExp(`\\bminute (${count})\\b`, 'g'), times: (time) => [minutes(time)] },
  {
    pattern: new RegExp(`\\b(?:at|around|near|second) (${count})(?: ?${secondsUnit})\\b`, 'g'),
    times: (time = '') => [time],
  },
]

function minutes(text = ''): string {
  return String(Number(text) * 60)
}

/** What to put in place of a time before the end of media whose length is unknown. */
export const fromTheEnd = '<media_seconds - '

function beforeEnd(seconds = ''): string {
  return `${fromTheEnd}${seconds}>`
}

/** Puts two times in order: people also name the later one first. */
function inOrder(start: string, end: string): GoalWindow {
  const seconds = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return end !== '' && seconds(start) > seconds(end) ? { start: end, end: start } : { start, end }
}

export interface FoundTimes {
  /** With `<time>` and `<window>` in place of the times. */
  readonly text: string
  readonly times: readonly string[]
  readonly windows: readonly GoalWindow[]
}

/** Finds the times of a text in lower case. */
export function findTimes(goal: string): FoundTimes {
  const times: string[] = []
  const windows: GoalWindow[] = []
  const text = forms.reduce(
    (before, form) =>
      before.replaceAll(form.pattern, (_whole, ...parts: unknown[]) => {
        const [start = '', end] = form.times(...parts.filter((part) => typeof part === 'string').slice(0, 2))
        if (end === undefined) times.push(start)
        else windows.push(inOrder(start, end))
        return end === undefined ? ' <time> ' : ' <window> '
      }),
    withDigits(goal),
  )
  return { text, times, windows }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const span = `(${count})[ -]?(s|m|h)(?:ecs?|econds?|ins?|inutes?|rs?|ours?)?`
const pieces = new RegExp(
  String.raw`\b(?:every ${span}|${span}[ -](?:long )?(?:pieces?|parts?|chunks?|segments?|sections?|clips?|files?)|(?:each|of) ${span})\b`,
)
const shortestPause = new RegExp(
  String.raw`\b(?:(?:longer|more|greater) than|over|above|exceeding|at least|of) ${span}\b`,
)

/** The length of the equal pieces that a text in lower case asks for, such as "10 minute pieces", in seconds. */
export function secondsOfPieces(text: string): number | undefined {
  return /\b(?:split|divide|chop|break|cut|slice|pieces|chunks)\b/.test(text) ? lengthIn(pieces, text) : undefined
}

/** The length below which pauses stay, such as "longer than 2 seconds", in seconds. */
export function shortestPauseIn(text: string): number | undefined {
  return lengthIn(shortestPause, text)
}

function lengthIn(form: RegExp, text: string): number | undefined {
  const [number, unit] = (form.exec(withDigits(text)) ?? []).slice(1).filter((part) => part !== undefined)
  return number === undefined || unit === undefined ? undefined : Number(number) * (unitSeconds[unit] ?? 1)
}
