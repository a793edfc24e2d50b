import { statedLengthIn } from '../../../src/goals/goal-lengths.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { chooseWork, isWork } from './choose-work.ts'
import { withValues } from './named-values.ts'
import { placeholders } from './placeholders.ts'
import type { PlannedCall } from './tool-calls.ts'

const priceWords = ['how much', 'what', 'would', 'will', 'does', 'is ', 'it ', 'estimate', 'cost', 'price']

/** A call that estimates a price, with the endpoint and the length of the media that the goal names. */
export function withPricedWork(goal: ReadGoal, call: PlannedCall, models: ReadonlySet<ModelName>): PlannedCall {
  if (!Object.values(call.arguments).includes(placeholders.pricedEndpoint)) return call
  const work = chooseWork(withoutWords(goal, priceWords), models)?.candidate
  return withValues(call, {
    [placeholders.pricedEndpoint]: work && isWork(work) && !('steps' in work) ? work.id : undefined,
    [placeholders.pricedSeconds]: statedLengthIn(goal.text),
  })
}
