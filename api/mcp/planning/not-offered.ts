import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import { fileGaps } from './gaps/files.ts'
import { findingGaps } from './gaps/findings.ts'
import type { Gap } from './gaps/gap.ts'
import { pictureGaps } from './gaps/picture.ts'
import { soundGaps } from './gaps/sound.ts'

const gaps = [...soundGaps, ...pictureGaps, ...fileGaps, ...findingGaps]

/** What the goal asks for that no endpoint does. */
export function gapsIn(goal: ReadGoal): readonly Gap[] {
  return gaps.filter(({ goals, unless = [] }) => matchOf(goal, goals) > 0 && matchOf(goal, [[unless]]) === 0)
}

/** A gap in sentences. */
export function describeGap({ what, instead }: Gap): string {
  return [`There is no endpoint that ${what}.`, ...(instead ? [instead] : [])].join(' ')
}

/** What is left to plan: words that alone ask for what no endpoint does ask for nothing else. */
export function offeredIn(goal: ReadGoal, asked: readonly Gap[]): ReadGoal {
  const alone = gaps.flatMap(({ goals }) => goals.filter(({ length }) => length === 1).flat(2))
  return withoutWords(goal, [...alone, ...asked.flatMap(({ asks = [] }) => asks)])
}
