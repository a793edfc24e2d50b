import { type ClipReach, clipReachIn, joinedLengthIn, sidesIn } from '../../../src/goals/goal-lengths.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { joinWords } from '../../../src/goals/words.ts'

// One file of many clips.

/** Whether the clips of what is found are one file. */
export function joinsFound(goal: ReadGoal): boolean {
  return matchOf(goal, [[joinWords]]) > 0
}

/** The length that the goal states of the one file, and not of each clip in it. */
export function lengthOfJoined(goal: ReadGoal): number | undefined {
  return joinsFound(goal) ? joinedLengthIn(goal.text) : undefined
}

/** Short clips, of which many fit. */
const shortReach: ClipReach = { before_seconds: 4, after_seconds: 2 }

/** The reach of each clip around what is found. */
export function reachOfFound(goal: ReadGoal): ClipReach {
  if (lengthOfJoined(goal) === undefined) return clipReachIn(goal.text)
  return { ...shortReach, ...sidesIn(goal.text) }
}

/** That the length of the one file follows from its clips. */
export function notesOnJoined(goal: ReadGoal, given: object): string[] {
  const seconds = lengthOfJoined(goal)
  const text = JSON.stringify(given)
  const isJoined = text.includes('"join":true') || (text.includes('"ranges":"<') && !text.includes('"join":false'))
  if (seconds === undefined || !isJoined) return []
  const how = text.includes('"before_seconds"')
    ? 'Fewer moments, or a lower before_seconds and after_seconds, make it shorter.'
    : 'Fewer or shorter ranges make it shorter.'
  return [`No setting fixes the length of the file at ${seconds} seconds: it is that of all its clips together. ${how}`]
}
