import { type Chain, isLiveChain, missingSteps } from '../../../src/chains/chains.ts'
import { endpoints, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import type { GoalWindow } from '../../../src/goals/goal-times.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import type { AccountCall } from './account-goals.ts'
import type { Candidate } from './choose-work.ts'
import { cutOfFound, cutOfSome, type FoundCut } from './found-cut.ts'
import { withNamedValues } from './named-values.ts'
import { notesOnChain, notesOnEndpoint, notesOnWork } from './notes-on-work.ts'
import { notesOnPlaceholders } from './placeholder-notes.ts'
import { placeholdersOf } from './placeholders.ts'
import { notesOnExports, notesOnWordCuts } from './plan-notes.ts'
import { withPricedWork } from './priced-work.ts'
import { wantedBy } from './stated-settings.ts'
import { stepSettingsIn } from './stated-steps.ts'
import {
  jobCallsFor,
  type MediaPlace,
  notesFor,
  type PlannedCall,
  runCallsFor,
  toolCallsFor,
  uploadCalls,
} from './tool-calls.ts'
import { jobsOnPart, notesOnWindows, partCutBy, windowOfRun } from './windows-of-work.ts'

export interface GoalPlan {
  /** The chain or the endpoint that does the work; at most one of them. The steps can name others that it needs. */
  readonly chain?: Chain
  readonly endpoint?: Endpoint
  readonly steps: readonly PlannedCall[]
  readonly notes: readonly string[]
}

/** How a goal is planned: where the media is, and the models of the installation. */
export interface Planning {
  readonly media: MediaPlace
  readonly models: ReadonlySet<ModelName>
}

/** Plans the work that was chosen for a goal. */
export function planWork(candidate: Candidate, goal: ReadGoal, planning: Planning): GoalPlan {
  if ('notes' in candidate) return { steps: [], notes: candidate.notes }
  if ('tool' in candidate) return planCall(candidate, goal, planning)
  const { models } = planning
  if ('steps' in candidate) return planPartly(candidate, goal, planning) ?? planChain(candidate, goal, planning)
  if (candidate.stage === 'preview') return { endpoint: candidate, steps: [], notes: notesFor(models, [candidate.id]) }
  const cut = cutOfFound(candidate, goal)
  return cut ? planCut(cut, goal, planning) : planEndpoint(candidate, goal, planning)
}

/** The jobs that do what a chain alone does not. */
function planPartly(chain: Chain, goal: ReadGoal, planning: Planning): GoalPlan | undefined {
  if (!isLiveChain(chain, planning.models)) return undefined
  const part = partCutBy(chain, goal)
  if (part) return planPart(chain, goal, part, planning)
  const some = cutOfSome(chain, goal, planning.models)
  return some && planCut(some, goal, planning)
}

function planCall(
  { goals: _, answersPart: __, first, ...asked }: AccountCall,
  goal: ReadGoal,
  { models }: Planning,
): GoalPlan {
  const { calls, notes: notesOnPrice } = withPricedWork(goal, withNamedValues(goal, asked), models)
  const ofAnyJob = { of: 'job', steps: endpoints.map(({ id }) => id), stated: {} } as const
  const given = calls.map((call) => call.arguments)
  const notes = [...notesOnPlaceholders(given), ...notesOnPrice, ...notesOnExports(goal, ofAnyJob)]
  return { steps: [...(first ? [first] : []), ...calls], notes }
}

function planEndpoint(endpoint: Endpoint, goal: ReadGoal, { media, models }: Planning): GoalPlan {
  const wanted = wantedBy(endpoint, goal)
  return {
    endpoint,
    steps: toolCallsFor(models, [endpoint.id], media, () => wanted),
    notes: notesOnEndpoint(goal, endpoint, wanted),
  }
}

/** A job that finds, and then a clip of what it found. */
function planCut({ finder, clip, wanted, notes }: FoundCut, goal: ReadGoal, { media }: Planning): GoalPlan {
  const found = wantedBy(finder, goal)
  return {
    endpoint: finder,
    steps: [
      ...uploadCalls(media),
      ...jobCallsFor(finder, found, placeholdersOf.job(finder.id)),
      ...jobCallsFor(clip, wanted, placeholdersOf.job(clip.id)),
    ],
    notes: [...notesOnWork(goal, [finder.id], [found, wanted]), ...notes, ...notesOnWindows(goal)],
  }
}

/** The jobs of a chain, where the chain itself would leave the rest of the media out. */
function planPart(chain: Chain, goal: ReadGoal, part: GoalWindow, { media }: Planning): GoalPlan {
  const stated = stepSettingsIn(goal, chain)
  const steps = [...uploadCalls(media), ...jobsOnPart(chain, goal, part, stated)]
  // Their ids are those of the jobs before them.
  const clips = steps.filter(
    (step) => step.arguments['endpoint'] !== 'timeline/suggest-ranges' && 'endpoint' in step.arguments,
  )
  return {
    endpoint: liveEndpoint(chain.steps[0] ?? ''),
    steps,
    notes: [
      ...notesOnWork(goal, chain.steps, [stated, clips]),
      ...notesOnWindows(goal),
      ...notesOnWordCuts(goal, stated),
    ],
  }
}

function planChain(chain: Chain, goal: ReadGoal, { media, models }: Planning): GoalPlan {
  const isLive = isLiveChain(chain, models)
  const stated = isLive ? stepSettingsIn(goal, chain) : {}
  const steps = isLive
    ? runCallsFor(chain, media, { ...windowOfRun(chain, goal), settings: stated })
    : toolCallsFor(models, chain.steps, media, (endpoint) => wantedBy(endpoint, goal))
  return {
    chain,
    steps,
    notes: [
      ...notesFor(models, missingSteps(chain, models)),
      ...notesOnWork(goal, chain.steps, steps),
      ...notesOnChain(goal, chain, { of: isLive ? 'run' : 'job', steps: chain.steps, stated }),
    ],
  }
}
