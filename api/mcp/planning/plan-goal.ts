import { type Chain, chains, isLiveChain, missingSteps } from '../../../src/chains/chains.ts'
import { endpoints, endpointsWith } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { exportFormats } from '../../../src/exports/export-formats.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, readGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { type AccountAnswer, type AccountCall, accountCalls, deletionAnswer } from './account-goals.ts'
import { asksForFile } from './asks-for-file.ts'
import { withNamedFile, withNamedValues } from './named-values.ts'
import { missingIn, offeredIn } from './not-offered.ts'
import { notesOnPlaceholders } from './placeholders.ts'
import { cuts, exampleNote, notesOnCuts, notesOnExports, notesOnLanguage } from './plan-notes.ts'
import { stepSettingsIn, wantedBy } from './stated-settings.ts'
import {
  type MediaPlace,
  notesFor,
  type PlannedCall,
  runCallsFor,
  toolCallsFor,
  transcribeFirst,
} from './tool-calls.ts'

export interface GoalPlan {
  /** The chain or the endpoint that does the work; at most one of them. */
  readonly chain?: Chain
  readonly endpoint?: Endpoint
  readonly steps: readonly PlannedCall[]
  readonly notes: readonly string[]
}

/** Plans a goal with what the endpoints and chains declare. A plan without steps says what does not exist. */
export function planGoal(text: string, media: MediaPlace, models: ReadonlySet<ModelName>): GoalPlan {
  const goal = readGoal(text)
  const gaps = missingIn(goal)
  const found = bestFor(offeredIn(goal), models)
  // A goal that asks for something else is not met by one word that it shares with an endpoint.
  if (!found || (gaps.length > 0 && (found.score < 2 || !isWork(found.candidate))))
    return { steps: [], notes: describeGaps(gaps) }
  const { notes, steps, ...plan } = planWith(found.candidate, goal, media, models)
  return {
    ...plan,
    steps: withNamedFile(goal.written, transcribeFirst(steps)),
    notes: [...notes, ...gaps.map(describeGap)],
  }
}

function planWith(candidate: Candidate, goal: ReadGoal, media: MediaPlace, models: ReadonlySet<ModelName>): GoalPlan {
  if ('notes' in candidate) return { steps: [], notes: candidate.notes }
  if ('tool' in candidate) {
    const { goals: _, first, ...asked } = candidate
    const call = withNamedValues(goal, asked)
    const ofAnyJob = { of: 'job', steps: endpoints.map(({ id }) => id), stated: {} } as const
    const notes = [...notesOnPlaceholders(call.arguments), ...notesOnExports(goal, ofAnyJob)]
    return { steps: [...(first ? [first] : []), call], notes }
  }
  if ('steps' in candidate) return planChain(candidate, goal, media, models)
  const { id } = candidate
  if (candidate.stage === 'preview') {
    return { endpoint: candidate, steps: [], notes: notesFor(models, [id]) }
  }
  const wanted = wantedBy(candidate, goal)
  return {
    endpoint: candidate,
    steps: toolCallsFor(models, [id], media, () => wanted),
    notes: [
      ...(Object.keys(wanted).length === 0 ? [exampleNote] : notesOnPlaceholders(wanted)),
      ...notesOnLanguage(goal, [id]),
      ...notesOnExports(goal, { of: 'job', steps: [id], stated: wanted }),
      ...(wantsFile(goal) ? notesOnCuts(goal, candidate) : []),
    ],
  }
}

function planChain(chain: Chain, goal: ReadGoal, media: MediaPlace, models: ReadonlySet<ModelName>): GoalPlan {
  const isLive = isLiveChain(chain, models)
  const stated = isLive ? stepSettingsIn(goal, chain) : {}
  const steps = isLive
    ? runCallsFor(chain, media, stated)
    : toolCallsFor(models, chain.steps, media, (endpoint) => wantedBy(endpoint, goal))
  const hasExample = isLive
    ? Object.keys(chain.example ?? {}).some((step) => !Object.hasOwn(stated, step))
    : steps.length > 0
  return {
    chain,
    steps,
    notes: [
      ...notesFor(models, missingSteps(chain, models)),
      ...(hasExample ? [exampleNote] : []),
      ...notesOnPlaceholders(steps),
      ...notesOnLanguage(goal, chain.steps),
      ...notesOnExports(goal, { of: isLive ? 'run' : 'job', steps: chain.steps, stated }),
    ],
  }
}

type Work = Chain | Endpoint
type Candidate = Work | AccountCall | AccountAnswer

/**
 * The most specific match. Of equal ones, chains come before live endpoints, and these before previews. What cuts is for goals that
 * ask for a file: it would charge others for clips that nobody wants.
 */
function bestFor(
  goal: ReadGoal,
  models: ReadonlySet<ModelName>,
): { readonly candidate: Candidate; readonly score: number } | undefined {
  const live = endpointsWith(models).toSorted((a, b) => Number(a.stage === 'preview') - Number(b.stage === 'preview'))
  const matching = [...chains, ...live, ...accountCalls, deletionAnswer]
    .map((candidate: Candidate) => ({ candidate, score: matchOf(goal, candidate.goals) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  const [best] = matching
  if (!best || !makesCuts(best.candidate) || wantsFile(goal)) return best
  return matching.find(({ candidate }) => isWork(candidate) && !makesCuts(candidate)) ?? best
}

/** "Final Cut" is a program. */
const exportWords = Object.values(exportFormats).flatMap(({ words }) => words)

function wantsFile(goal: ReadGoal): boolean {
  return asksForFile(withoutWords(goal, exportWords))
}

function isWork(candidate: Candidate): candidate is Work {
  return 'id' in candidate
}

function makesCuts(candidate: Candidate): boolean {
  if (!isWork(candidate)) return false
  if (!('steps' in candidate)) return cuts(candidate)
  return endpoints.some((endpoint) => candidate.steps.includes(endpoint.id) && cuts(endpoint))
}

function describeGap(what: string): string {
  return `There is no endpoint that ${what}.`
}

function describeGaps(gaps: readonly string[]): string[] {
  const known =
    gaps.length > 0
      ? gaps.map(describeGap)
      : ['No endpoint was found for this goal. Say it in other words, in English.']
  return [...known, 'svc.list_endpoints lists everything that this service does.']
}
