import { countPattern } from './units.ts'
import { frameWords } from './words.ts'

// The times that a goal names, such as "the first 30 seconds".

/** Times as a job takes them; a blank end is the end of the media. */
export interface GoalWindow {
  readonly start: string
  readonly end: string
}

const clock = String.raw`(?<![\d:])\d{1,3}:\d{2}(?::\d{2})?(?:\.\d{1,3})?`
const length = `(${countPattern}) seconds`
/** A clock, or such as "40 seconds". */
const time = `(?:(${clock})|${length})`
const until = String.raw`\s*(?:to|until|till|and|-|–)\s*`
/** Between clocks, "and" is also that of several moments. */
const untilClock = String.raw`\s*(?:to|until|till|-|–)\s*`
const theStart = '(?:the )?(?:very )?(?:start|beginning)'
const theEnd = '(?:the )?(?:very )?end'
const frameNoun = `(?:${frameWords.map((word) => word.trim()).join('|')})s?`
const from = '(?:from|starting(?: at| from)?|beginning(?: at)?|that (?:starts|begins) at)'
const fewWords = '(?:[a-z]+ ){0,3}?'
/** "Start the video at 1:30". */
const starts = `(?:start|begin) (?:(?:it|the|my|this|video|film|clip|recording|podcast) ){0,2}(?:at|from)`
const ends = `(?:end|stop|finish) (?:(?:it|the|my|this|video|film|clip|recording|podcast) ){0,2}at`

/** "10 seconds before and 5 seconds after 12:34" is the reach of a clip around a moment. */
const ofReach = String.raw`(?<!\bbefore(?:hand)?,? ?(?:and |& |to |until |till )?)`
const noReach = String.raw`(?!,? ?(?:and|&|to|until|till)? ?${countPattern} seconds after\b)`

type Times = readonly [start: string, end?: string]

/** Each form of times, with the times that it names, of those that its groups match. The longest come first. */
const forms: readonly { readonly pattern: RegExp; readonly times: (a: string, b: string) => Times }[] = [
  form(`(${clock})${untilClock}${theEnd}\\b`, (at) => [at, '']),
  form(`\\bfrom ${time} (?:to|until|till) ${theEnd}\\b`, (at) => [at, '']),
  form(`\\b(?:from )?${theStart}${untilClock}${time}`, (at) => ['0', at]),
  form(`(${clock})${untilClock}(${clock})`, (a, b) => [a, b]),
  form(`\\bbetween (${clock}) and (${clock})`, (a, b) => [a, b]),
  form(
    `(?<![\\d:.])(?<!\\b(?:than|over|above|least|exceeding) )(${countPattern})(?: ?seconds)?${until}${length}`,
    (a, b) => [a, b],
  ),
  form(`\\bbetween (${countPattern}) and (${countPattern})\\b`, (a, b) => [a, b]),
  form(`\\bfirst ${length}`, (end) => ['0', end]),
  form(`\\blast ${length}`, (end) => [mediaSeconds(`- ${end}`), '']),
  form(`\\bfrom ${length} before ${theEnd}\\b`, (end) => [mediaSeconds(`- ${end}`), '']),
  form(`\\bfirst half\\b`, () => ['0', shareOfMedia(1, 2)]),
  form(`\\b(?:second|last|other) half\\b`, () => [shareOfMedia(1, 2), '']),
  form(`\\bmiddle third\\b`, () => [shareOfMedia(1, 3), shareOfMedia(2, 3)]),
  form(`\\bfirst (third|quarter)\\b`, (part) => ['0', shareOfMedia(1, partsOf(part))]),
  form(`\\blast (third|quarter)\\b`, (part) => [shareOfMedia(partsOf(part) - 1, partsOf(part)), '']),
  form(`\\b${length} ${fewWords}${from} (${clock})`, (of, at) => [at, sum(at, of)]),
  form(`\\b${from} (${clock}),? (?:for )?(?:the next )?${length}`, (at, of) => [at, sum(at, of)]),
  form(`${ofReach}\\b${length} (?:after|following) (${clock})`, (of, at) => [at, sum(at, of)]),
  form(`\\b${length} before (${clock})${noReach}`, (of, at) => [difference(at, of), at]),
  form(`\\b${starts} (${clock}),? (?:and )?${fewWords}${ends} (${clock})`, (a, b) => [a, b]),
  form(`\\b${starts} (${clock})`, (at) => [at, '']),
  form(`\\b${ends} (${clock})`, (end) => ['0', end]),
  form(`(?<=\\b(?:everything|all|anything|part|parts) )(?:that is )?before ${time}`, (end) => ['0', end]),
  form(`\\b(?:until|till|up to) (${clock})`, (end) => ['0', end]),
  form(
    `${ofReach}(?<!\\bbefore(?:hand)?,? ?(?:and |& |to |until |till )?${countPattern} seconds )\\b(?:after|past|since)(?: the)? ${time}`,
    (at) => [at, ''],
  ),
  form(`\\bfrom ${time} (?:on|onwards?)\\b`, (at) => [at, '']),
  form(`(${clock})`, (at) => [at]),
  form(`\\b(?:very )?first(?= frame\\b)`, () => ['0']),
  form(`\\b(?<=\\b${frameNoun} (?:[a-z]+ ){0,3})(?:at|of|from) ${theStart}\\b(?! of)`, () => ['0']),
  form(`\\b(?<=\\b${frameNoun} (?:[a-z]+ ){0,3})(?:at|of|from) ${theEnd}\\b(?! of)`, () => [mediaSeconds('- 5'), '']),
  form(`\\b(?:at|around|near) ${length}`, (at) => [at]),
]

function form(pattern: string, times: (a: string, b: string) => Times) {
  return { pattern: new RegExp(pattern, 'g'), times }
}

/** What to put in place of a time that follows from the length of the media. */
export const ofMediaSeconds = '<media_seconds '

function mediaSeconds(formula: string): string {
  return `${ofMediaSeconds}${formula}>`
}

/** The time at which `part` of `parts` equal parts end. */
export function shareOfMedia(part: number, parts: number): string {
  return mediaSeconds(part === 1 ? `/ ${parts}` : `* ${part} / ${parts}`)
}

function partsOf(name: string): number {
  return name === 'third' ? 3 : 4
}

/** Seconds of a time without a formula. */
export function secondsOfTime(time: string): number {
  return time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

/** The window from `reach` seconds before a time to `reach` seconds after it. */
export function aroundTime(time: string, reach: number): GoalWindow {
  const at = secondsOfTime(time)
  return { start: String(Math.max(0, at - reach)), end: String(at + reach) }
}

function sum(time: string, length: string): string {
  return String(secondsOfTime(time) + Number(length))
}

function difference(time: string, length: string): string {
  return String(Math.max(0, secondsOfTime(time) - Number(length)))
}

/** Puts two times in order: people also name the later one first. */
function inOrder(start: string, end: string): GoalWindow {
  return end !== '' && secondsOfTime(start) > secondsOfTime(end) ? { start: end, end: start } : { start, end }
}

export interface FoundTimes {
  /** With `<time>` and `<window>` in place of the times. */
  readonly text: string
  readonly times: readonly string[]
  readonly windows: readonly GoalWindow[]
}

/** Finds the times of a text that `withUnits` returned. */
export function findTimes(goal: string): FoundTimes {
  const times: string[] = []
  const windows: GoalWindow[] = []
  const text = forms.reduce(
    (before, { pattern, times: timesOf }) =>
      before.replaceAll(pattern, (_whole, ...groups: unknown[]) => {
        // After the groups come the position and the whole text.
        const named = groups.slice(0, -2).filter((group) => typeof group === 'string')
        const [start, end] = timesOf(named[0] ?? '', named[1] ?? '')
        if (end === undefined) times.push(start)
        else windows.push(inOrder(start, end))
        return end === undefined ? ' <time> ' : ' <window> '
      }),
    goal,
  )
  return { text, times, windows }
}
