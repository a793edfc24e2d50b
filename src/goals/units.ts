import { roundToMillisecond } from '../core/time-code.ts'

// Numbers and lengths, as goals in words write them, in one form.

const tens: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 }
const ones: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 },
  ...{ ten: 10, eleven: 11, twelve: 12, dozen: 12, fifteen: 15 },
}
const ten = Object.keys(tens).join('|')
const one = Object.keys(ones).join('|')
const spelled = new RegExp(String.raw`\b(?:(${ten})(?:[- ](${one}))?|(${one}))\b`, 'g')

/** By the first letter of their names. */
const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 }

/** A number of digits. */
export const countPattern = String.raw`\d{1,9}(?:\.\d{1,3})?`
const seconds = '(?:s|secs?|seconds?)'
const minutes = '(?:m|mins?|minutes?)'
const hours = '(?:h|hrs?|hours?)'

const next = String.raw`,? ?(?:and )?(\d{1,2}) ?`
/** `1h02m`, `1 hour and 2 minutes`. */
const hoursAndMinutes = new RegExp(String.raw`\b(\d{1,2}) ?${hours}${next}${minutes}(?:${next}${seconds})?\b`, 'g')
/** `2 min 30 s`. */
const minutesAndSeconds = new RegExp(String.raw`\b(\d{1,2}) ?${minutes}${next}${seconds}\b`, 'g')

const to = String.raw`\s*(?:to|until|till|and|-|–)\s*(?:minutes? )?`
/** "Minutes 3 to 5" and "3 to 5 minutes" are times, and no lengths. */
const namedMinutes = new RegExp(String.raw`\bminutes? (${countPattern})${to}(${countPattern})\b`, 'g')
const rangeOfMinutes = new RegExp(String.raw`(?<![\w:.])(${countPattern})${to}(${countPattern}) ?${minutes}\b`, 'g')
const atMinute = new RegExp(String.raw`\bminute (${countPattern})\b`, 'g')
const atSecond = new RegExp(String.raw`\b(at|after|past|since|near|around) second (${countPattern})\b`, 'g')

const half = /\bhalf (?:an? )?(second|minute|hour)\b/g
/** "A second" is mostly another one. */
const single = /\b(?:one (?=second|minute|hour|dollar|usd\b)|an? (?=minute|hour|dollar))/g
const ordinal = /\b(first|last|every|each|per) (?=(?:second|minute|hour)\b)/g
const length = new RegExp(String.raw`(?<![\w:.])(${countPattern})[ -]?(${seconds}|${minutes}|${hours})\b`, 'g')

/** "The first 5 seconds and the last 3", "the first and the last 5 seconds". */
const sharedUnit = new RegExp(
  String.raw`\b((?:first|last) ${countPattern} seconds and (?:the )?(?:first|last) ${countPattern})\b(?! seconds)`,
  'g',
)
const sharedLength = new RegExp(String.raw`\bfirst and (?:the )?last (${countPattern} seconds)\b`, 'g')

/** "10 seconds before and 5 after", "10 before and 5 seconds after". */
const anyUnit = `(?:${hours}|${minutes}|${seconds})`
const reach = `(?:hand)?,? ?(?:and|&|to|until|till)?`
const unitOfBefore = new RegExp(
  String.raw`\b(${countPattern}[ -]?(${anyUnit}) before(?: [\d:]{4,9})?${reach} ${countPattern}) (?=after)`,
  'g',
)
const unitOfAfter = new RegExp(
  String.raw`\b(${countPattern}) (?=before${reach} ${countPattern}[ -]?(${anyUnit}) after)`,
  'g',
)

/** "Trim 10 seconds from the end". */
const removedLength = String.raw`\b((?:trim|cut|remove|delete|drop|chop|shave|take)(?: off)?) (${countPattern} seconds) (?:from|off|at)(?: of)? the(?: very)?`
const lengthAtStart = new RegExp(`${removedLength} (?:start|beginning)\\b`, 'g')
const lengthAtEnd = new RegExp(`${removedLength} end\\b`, 'g')

/**
 * Rewrites a text in lower case: spelled numbers as digits, times with units as clocks, and lengths as seconds, such as
 * "300 seconds" for "five minutes".
 */
export function withUnits(goal: string): string {
  return goal
    .replaceAll(spelled, (_whole, many?: string, few?: string, alone?: string) =>
      String((tens[many ?? ''] ?? 0) + (ones[few ?? alone ?? ''] ?? 0)),
    )
    .replaceAll(half, '0.5 $1')
    .replaceAll(single, '1 ')
    .replaceAll(ordinal, '$1 1 ')
    .replaceAll(unitOfBefore, '$1 $2 ')
    .replaceAll(unitOfAfter, '$1 $2 ')
    .replaceAll(hoursAndMinutes, (_whole, ...parts: string[]) => clock(unitsOf(parts, [3600, 60, 1])))
    .replaceAll(minutesAndSeconds, (_whole, ...parts: string[]) => clock(unitsOf(parts, [60, 1])))
    .replaceAll(namedMinutes, (_whole, a: string, b: string) => `${clock(Number(a) * 60)} to ${clock(Number(b) * 60)}`)
    .replaceAll(
      rangeOfMinutes,
      (_whole, a: string, b: string) => `${clock(Number(a) * 60)} to ${clock(Number(b) * 60)}`,
    )
    .replaceAll(atMinute, (_whole, at: string) => clock(Number(at) * 60))
    .replaceAll(atSecond, (_whole, where: string, at: string) => `${where} ${clock(Number(at))}`)
    .replaceAll(length, (_whole, number: string, unit: string) => `${inSeconds(number, unit)} seconds`)
    .replaceAll(sharedUnit, '$1 seconds')
    .replaceAll(sharedLength, 'first $1 and the last $1')
    .replaceAll(lengthAtStart, '$1 the first $2 off')
    .replaceAll(lengthAtEnd, '$1 the last $2 off')
}

function unitsOf(parts: readonly string[], units: readonly number[]): number {
  return units.reduce((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0)
}

function inSeconds(number: string, unit: string): number {
  return roundToMillisecond(Number(number) * (unitSeconds[unit.slice(0, 1)] ?? 1))
}

/** `H:MM:SS` or `MM:SS`. */
function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  return parts
    .slice(seconds < 3600 ? 1 : 0)
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
