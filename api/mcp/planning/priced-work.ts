import type { Chain } from '../../../src/chains/chains.ts'
import { liveEndpoint } from '../../../src/endpoints/catalog.ts'
import { statedLengthIn } from '../../../src/goals/goal-lengths.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { chooseWork, isWork } from './choose-work.ts'
import { withValues } from './named-values.ts'
import { placeholders } from './placeholders.ts'
import { cuts } from './plan-notes.ts'
import type { PlannedCall } from './tool-calls.ts'

const priceWords = ['how much', 'what', 'would', 'will', 'does', 'is ', 'it ', 'estimate', 'cost', 'price', '<price>']

/** Calls that estimate a price, and what a plan says of them. */
interface Priced {
  readonly calls: readonly PlannedCall[]
  readonly notes: readonly string[]
}

/** The calls that estimate the price of the work that the goal names, for media of the length that it names. */
export function withPricedWork(goal: ReadGoal, call: PlannedCall, models: ReadonlySet<ModelName>): Priced {
  if (!Object.values(call.arguments).includes(placeholders.pricedEndpoint)) return { calls: [call], notes: [] }
  const work = chooseWork(withoutWords(goal, priceWords), models)?.candidate
  const timed = withValues(call, { [placeholders.pricedSeconds]: statedLengthIn(goal.text) })
  if (work && 'steps' in work) return pricedChain(work, timed)
  const id = work && isWork(work) ? work.id : undefined
  return { calls: [withValues(timed, { [placeholders.pricedEndpoint]: id })], notes: [] }
}

/** A call for each step that reads media. The others cost nothing. */
function pricedChain({ id, steps }: Chain, call: PlannedCall): Priced {
  const charged = steps.map(liveEndpoint).filter((endpoint) => endpoint.readsMedia)
  const calls = charged.map((endpoint) => ({
    ...call,
    arguments: { ...call.arguments, endpoint: endpoint.id, ...(cuts(endpoint) ? { start: 0 } : {}) },
    note: 'Returns the price of this step, and spends nothing.',
  }))
  const perClip = steps.includes('video/clip-near') ? ' video/clip-near is charged for each clip.' : ''
  return {
    calls,
    notes: [
      `A run of the chain ${id} costs at most what its steps cost together.${perClip} svc.create_workflow_job with workflow_id "${id}" and without mode reads the media, returns the price and spends nothing.`,
    ],
  }
}
