import { readGoal } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { type Choice, chooseWork, isWork } from './choose-work.ts'
import { withFirstCalls } from './first-calls.ts'
import { withNamedFile } from './named-values.ts'
import { describeGap, gapsIn, offeredIn } from './not-offered.ts'
import { type GoalPlan, planWork } from './plan-work.ts'
import type { MediaPlace } from './tool-calls.ts'

/** Plans a goal with what the endpoints and chains declare. A plan without steps says what does not exist. */
export function planGoal(text: string, media: MediaPlace, models: ReadonlySet<ModelName>): GoalPlan {
  const goal = readGoal(text)
  const gaps = gapsIn(goal)
  const notesOnGaps = gaps.map(describeGap)
  const found = chooseWork(offeredIn(goal, gaps), models)
  // A goal that asks for something else is not met by one word that it shares with an endpoint.
  const asksForOther = gaps.some(({ isDetail }) => !isDetail)
  if (!found || (asksForOther && !meetsPart(found))) return { steps: [], notes: refusal(notesOnGaps) }
  const { notes, steps, ...plan } = planWork(found.candidate, goal, { media, models })
  return {
    ...plan,
    steps: withNamedFile(goal.written, withFirstCalls(steps)),
    notes: [...new Set([...notes, ...notesOnGaps])],
  }
}

function meetsPart({ candidate, score }: Choice): boolean {
  return isWork(candidate) ? score >= 2 : 'answersPart' in candidate
}

function refusal(notesOnGaps: readonly string[]): string[] {
  const known =
    notesOnGaps.length > 0 ? notesOnGaps : ['No endpoint was found for this goal. Say it in other words, in English.']
  return [...known, 'svc.list_endpoints lists everything that this service does.']
}
