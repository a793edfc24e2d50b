import { clipReachIn, equalPartsIn } from '../../../src/goals/goal-lengths.ts'
import { type GoalWindow, ofMediaSeconds, secondsOfTime, shareOfMedia } from '../../../src/goals/goal-times.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { reachOfFound } from './joined-clips.ts'
import { placeholders } from './placeholders.ts'
import { removesIn } from './removes-in.ts'
import { clipSettingsIn } from './stated-clip-settings.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a clip: times, and settings.

/** The request of a clip around moments that the goal states. */
export function clipNearIn(goal: ReadGoal): WantedJob {
  const stated = clipSettingsIn(goal)
  const { times } = goal
  const isReel = /\b(?:reel|compilation|montage|supercut|mashup)\b/.test(goal.text)
  if (isReel && times.length !== 1) {
    const moments = times.length > 0 ? times : [placeholders.moment, placeholders.nextMoments]
    return { settings: { moments, join: true, ...reachOfFound(goal), ...stated } }
  }
  const settings = { ...clipReachIn(goal.text), ...stated }
  return times.length > 1
    ? { settings: { moments: times, ...settings } }
    : { start: times[0] ?? placeholders.moment, settings }
}

/** The request of a clip of a window, or of ranges, that the goal states. */
export function clipWindowIn(goal: ReadGoal): WantedJob {
  const stated = clipSettingsIn(goal)
  const { mode: _, ...changes } = stated
  const { settings, ...window } =
    timesIn(goal) ?? (isEmpty(changes) && !isOfWhole(goal) ? unstatedTimesIn(goal) : wholeMedia)
  return { ...window, settings: { ...settings, ...stated } }
}

const wholeMedia: WantedJob = { start: '0' }

function isOfWhole({ text }: ReadGoal): boolean {
  return /\b(convert|resiz|transcod|downscale|letterbox)/.test(text)
}

function timesIn({ text, words, times, windows }: ReadGoal): WantedJob | undefined {
  if (windows.length === 0 && words.includes(' <split> ')) return { settings: { ranges: between(times), join: false } }
  const parts = equalPartsIn(text)
  if (parts) {
    const ranges = 'parts' in parts ? equalRanges(parts.parts) : pieces(parts.seconds)
    return { settings: { ranges, join: false } }
  }
  const [window] = windows
  if (!window) return undefined
  const ranges = inOrder(windows)
  if (removesIn(text)) return { settings: { ranges, ranges_mode: 'remove' } }
  if (windows.length === 1) return { ...window }
  const isSeveral =
    /\b(clips|files|shorts|videos)\b/.test(text) &&
    !/\b(join|joined|merged?|combined?|one|single|together)\b/.test(text)
  return { settings: { ranges, ...(isSeveral || isEach(text) ? { join: false } : {}) } }
}

function unstatedTimesIn({ text }: ReadGoal): WantedJob {
  const range = { start: placeholders.start, end: placeholders.end }
  if (removesIn(text)) return { settings: { ranges: [range], ranges_mode: 'remove' } }
  if (!/\b(several|multiple|many|these|ranges|parts|pieces|clips|windows)\b/.test(text)) return range
  const isSplit = /\b(split|divide|cut)\b.{0,60}\b(parts|pieces|clips|files)\b/.test(text)
  return { settings: { ranges: [range, placeholders.nextRanges], ...(isSplit || isEach(text) ? { join: false } : {}) } }
}

/** Whether the goal asks for a file of each part. */
export function isEach(text: string): boolean {
  return /\b(separate(ly)?|individual(ly)?|each|every|per|own files?)\b/.test(text)
}

/** Joined ranges play in the order of the source. Those that count from the end of the media come last. */
function inOrder(windows: readonly GoalWindow[]): readonly GoalWindow[] {
  const position = ({ start }: GoalWindow) =>
    start.startsWith(ofMediaSeconds) ? Number.MAX_VALUE : secondsOfTime(start)
  return windows.toSorted((a, b) => position(a) - position(b))
}

/** The ranges between times at which the media is split. */
function between(times: readonly string[]): readonly GoalWindow[] {
  const points = times.toSorted((a, b) => secondsOfTime(a) - secondsOfTime(b))
  return ['0', ...points].map((start, index) => ({ start, end: points[index] ?? '' }))
}

const maxListedRanges = 6

function equalRanges(parts: number): readonly unknown[] {
  const range = (part: number) => ({
    start: part === 0 ? '0' : shareOfMedia(part, parts),
    end: part + 1 === parts ? '' : shareOfMedia(part + 1, parts),
  })
  const listed = Array.from({ length: Math.min(parts, maxListedRanges) }, (_, part) => range(part))
  return parts > listed.length ? [...listed, placeholders.nextPieces] : listed
}

/** Pieces of equal length: only the media says how many. */
function pieces(seconds: number): readonly unknown[] {
  const piece = (index: number) => ({ start: seconds * index, end: seconds * (index + 1) })
  return [piece(0), piece(1), placeholders.nextPieces]
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
