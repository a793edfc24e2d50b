import { type Chain, isLiveChain, missingSteps } from '../../../src/chains/chains.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { type ReadGoal, readGoal } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import type { AccountCall } from './account-goals.ts'
import { asksForFile } from './asks-for-file.ts'
import { type Candidate, chooseWork, isWork } from './choose-work.ts'
import { cutOfFound, cutOfSome, type FoundCut } from './found-cut.ts'
import { withNamedFile, withNamedValues } from './named-values.ts'
import { gapsIn, offeredIn } from './not-offered.ts'
import { notesOnPlaceholders } from './placeholder-notes.ts'
import { placeholdersOf } from './placeholders.ts'
import {
  notesOnCuts,
  notesOnExports,
  notesOnFrames,
  notesOnLanguage,
  notesOnSplits,
  notesOnWordCuts,
} from './plan-notes.ts'
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
  withFirstCalls,
} from './tool-calls.ts'

export interface GoalPlan {
  /** The chain or the endpoint that does the work; at most one of them. The steps can name others that it needs. */
  readonly chain?: Chain
  readonly endpoint?: Endpoint
  readonly steps: readonly PlannedCall[]
  readonly notes: readonly string[]
}

/** How a goal is planned: where the media is, and the models of the installation. */
interface Planning {
  readonly media: MediaPlace
  readonly models: ReadonlySet<ModelName>
}

/** Plans a goal with what the endpoints and chains declare. A plan without steps says what does not exist. */
export function planGoal(text: string, media: MediaPlace, models: ReadonlySet<ModelName>): GoalPlan {
  const goal = readGoal(text)
  const gaps = gapsIn(goal)
  const found = chooseWork(offeredIn(goal), models)
  // A goal that asks for something else is not met by one word that it shares with an endpoint.
  if (!found || (gaps.length > 0 && !meetsPart(found))) return { steps: [], notes: refusal(gaps) }
  const { notes, steps, ...plan } = planWith(found.candidate, goal, { media, models })
  return {
    ...plan,
    steps: withNamedFile(goal.written, withFirstCalls(steps)),
    notes: [...new Set([...notes, ...gaps])],
  }
}

function meetsPart({ candidate, score }: { readonly candidate: Candidate; readonly score: number }): boolean {
  return isWork(candidate) ? score >= 2 : 'answersPart' in candidate
}

function planWith(candidate: Candidate, goal: ReadGoal, planning: Planning): GoalPlan {
  if ('notes' in candidate) return { steps: [], notes: candidate.notes }
  if ('tool' in candidate) return planCall(candidate, goal, planning)
  const { models } = planning
  if ('steps' in candidate) {
    const some = isLiveChain(candidate, models) ? cutOfSome(candidate, goal, models) : undefined
    return some ? planCut(some, goal, planning) : planChain(candidate, goal, planning)
  }
  if (candidate.stage === 'preview') return { endpoint: candidate, steps: [], notes: notesFor(models, [candidate.id]) }
  const cut = cutOfFound(candidate, goal)
  return cut ? planCut(cut, goal, planning) : planEndpoint(candidate, goal, planning)
}

function planCall(
  { goals: _, answersPart: __, first, ...asked }: AccountCall,
  goal: ReadGoal,
  { models }: Planning,
): GoalPlan {
  const call = withPricedWork(goal, withNamedValues(goal, asked), models)
  const ofAnyJob = { of: 'job', steps: endpoints.map(({ id }) => id), stated: {} } as const
  const notes = [...notesOnPlaceholders(call.arguments), ...notesOnExports(goal, ofAnyJob)]
  return { steps: [...(first ? [first] : []), call], notes }
}

function planEndpoint(endpoint: Endpoint, goal: ReadGoal, { media, models }: Planning): GoalPlan {
  const { id } = endpoint
  const wanted = wantedBy(endpoint, goal)
  return {
    endpoint,
    steps: toolCallsFor(models, [id], media, () => wanted),
    notes: [
      ...notesOnPlaceholders(wanted),
      ...notesOnFrames(goal, endpoint),
      ...notesOnSplits(goal, endpoint),
      ...notesOnLanguage(goal, [id]),
      ...notesOnExports(goal, { of: 'job', steps: [id], stated: wanted }),
      ...(asksForFile(goal) ? notesOnCuts(goal, endpoint) : []),
    ],
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
    notes: [...notesOnPlaceholders([found, wanted]), ...notes, ...notesOnLanguage(goal, [finder.id])],
  }
}

function planChain(chain: Chain, goal: ReadGoal, { media, models }: Planning): GoalPlan {
  const isLive = isLiveChain(chain, models)
  const stated = isLive ? stepSettingsIn(goal, chain) : {}
  const steps = isLive
    ? runCallsFor(chain, media, stated)
    : toolCallsFor(models, chain.steps, media, (endpoint) => wantedBy(endpoint, goal))
  return {
    chain,
    steps,
    notes: [
      ...notesFor(models, missingSteps(chain, models)),
      ...notesOnPlaceholders(steps),
      ...notesOnWordCuts(goal, stated),
      ...notesOnLanguage(goal, chain.steps),
      ...notesOnExports(goal, { of: isLive ? 'run' : 'job', steps: chain.steps, stated }),
    ],
  }
}

function refusal(gaps: readonly string[]): string[] {
  const known = gaps.length > 0 ? gaps : ['No endpoint was found for this goal. Say it in other words, in English.']
  return [...known, 'svc.list_endpoints lists everything that this service does.']
}
