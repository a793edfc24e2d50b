import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import { notFound } from './not-found.ts'
import { type NotOffered, notMade } from './not-made.ts'

const notOffered = [...notMade, ...notFound]

/** What the goal asks for that no endpoint does, in sentences. */
export function gapsIn(goal: ReadGoal): string[] {
  return wantedOf(goal).map(({ what, instead }) =>
    [`There is no endpoint that ${what}.`, ...(instead ? [instead] : [])].join(' '),
  )
}

/** What is left to plan: words that alone ask for what no endpoint does ask for nothing else. */
export function offeredIn(goal: ReadGoal): ReadGoal {
  const alone = notOffered.flatMap(({ goals }) => goals.filter(({ length }) => length === 1).flat(2))
  const asked = wantedOf(goal).flatMap(({ asks = [] }) => asks)
  return withoutWords(goal, [...alone, ...asked])
}

function wantedOf(goal: ReadGoal): readonly NotOffered[] {
  return notOffered.filter(({ goals, unless = [] }) => matchOf(goal, goals) > 0 && matchOf(goal, [[unless]]) === 0)
}
