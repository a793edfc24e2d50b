import { type Chain, chains, isLiveChain, missingSteps } from '../../src/chains/chains.ts'
import { endpointsWith } from '../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import { fromTheEnd, type Goal, matchOf, type ReadGoal, readGoal } from '../../src/endpoints/goals.ts'
import { missingIn } from '../../src/endpoints/not-offered.ts'
import type { ModelName } from '../../src/models/models.ts'
import { stepSettingsIn, transcriptJob, wantedBy } from './stated-settings.ts'
import {
  type AccountCall,
  accountCalls,
  type MediaPlace,
  notesFor,
  type PlannedCall,
  runCallsFor,
  toolCallsFor,
  type WantedJob,
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
  const found = bestFor(goal, models)
  // A goal that asks for something else is not met by one word that it shares with an endpoint.
  if (!found || (gaps.length > 0 && found.score < 2)) return { steps: [], notes: describeGaps(gaps) }
  const notes = gaps.map(describeGap)
  if ('tool' in found.candidate) {
    const { goals: _, ...call } = found.candidate
    return { steps: [call], notes }
  }
  if ('steps' in found.candidate) {
    const chain = found.candidate
    if (isLiveChain(chain, models)) {
      const stated = stepSettingsIn(goal, chain)
      const isExample = Object.keys(chain.example ?? {}).some((step) => !(step in stated))
      const exampleNotes = isExample ? notesOnArguments({}) : []
      const steps = runCallsFor(chain, media, stated)
      return { chain, steps, notes: [...exampleNotes, ...notesOnTranscript(stated), ...notes] }
    }
    const steps = toolCallsFor(models, chain.steps, media)
    const ofExamples = steps.length > 0 ? notesOnArguments({}) : []
    return { chain, steps, notes: [...notesFor(models, missingSteps(chain, models)), ...ofExamples, ...notes] }
  }
  const endpoint = found.candidate
  const wanted = wantedBy(endpoint, goal)
  const endpointNotes =
    endpoint.stage === 'preview'
      ? notesFor(models, [endpoint.id])
      : [...notesOnTranscript(wanted), ...notesOnArguments(wanted)]
  return {
    endpoint,
    steps: toolCallsFor(models, [endpoint.id], media, wanted),
    notes: [...endpointNotes, ...notes],
  }
}

/** An agent would send the times of an example as those of its user. */
function notesOnTranscript(wanted: object): string[] {
  if (!JSON.stringify(wanted).includes(transcriptJob)) return []
  return [
    `Replace ${transcriptJob} by the id of a completed audio/find-words job on the same media: svc.create_job starts one.`,
  ]
}

function notesOnArguments(wanted: WantedJob): string[] {
  if (JSON.stringify(wanted).includes(fromTheEnd)) {
    return ['Replace <media_seconds - …> by that time: svc.check_job_readiness with "start": 0 returns media_seconds.']
  }
  if (Object.keys(wanted).length > 0) return []
  return ['Times and settings are those of an example: replace them with what the user wants.']
}

type Candidate = (Chain | Endpoint | AccountCall) & { readonly goals: readonly Goal[] }

/** The most specific match. Of equal ones, chains come before live endpoints, and these before previews. */
function bestFor(
  goal: ReadGoal,
  models: ReadonlySet<ModelName>,
): { readonly candidate: Candidate; readonly score: number } | undefined {
  const live = endpointsWith(models).toSorted((a, b) => Number(a.stage === 'preview') - Number(b.stage === 'preview'))
  return [...chains, ...live, ...accountCalls]
    .map((candidate) => ({ candidate, score: matchOf(goal, candidate.goals) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)[0]
}

function describeGap(what: string): string {
  return `There is no endpoint that ${what}.`
}

function describeGaps(gaps: readonly string[]): string[] {
  const known =
    gaps.length > 0
      ? gaps.map(describeGap)
      : ['No endpoint was found for this goal. Send it in English, in other words.']
  return [...known, 'svc.list_endpoints lists everything that this service does.']
}
