import { type Chain, chains } from '../../../src/chains/chains.ts'
import { endpoints, endpointsWith } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { type AccountAnswer, type AccountCall, accountCalls } from './account-goals.ts'
import { asksForFile } from './asks-for-file.ts'
import { deletionAnswer, mediaCalls } from './media-goals.ts'
import { cuts } from './plan-notes.ts'

type Work = Chain | Endpoint
export type Candidate = Work | AccountCall | AccountAnswer

/**
 * The most specific match. Of equal ones, chains come before live endpoints, and these before previews. A clip of a goal without
 * times comes after what finds them. What cuts is for goals that ask for a file: it would charge others for clips that nobody wants.
 */
export function chooseWork(
  goal: ReadGoal,
  models: ReadonlySet<ModelName>,
): { readonly candidate: Candidate; readonly score: number } | undefined {
  const live = endpointsWith(models).toSorted((a, b) => Number(a.stage === 'preview') - Number(b.stage === 'preview'))
  const matching = [...chains, ...live, ...accountCalls, ...mediaCalls, deletionAnswer]
    .map((candidate: Candidate) => ({ candidate, score: matchOf(goal, candidate.goals) }))
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) => b.score - a.score || Number(lacksTimes(a.candidate, goal)) - Number(lacksTimes(b.candidate, goal)),
    )
  const [best] = matching
  if (!best || !makesCuts(best.candidate) || asksForFile(goal)) return best
  return matching.find(({ candidate }) => isWork(candidate) && !makesCuts(candidate)) ?? best
}

/** Times, and what is done to the whole media. */
const clipMarks = ['<time>', '<window>', '<split>', '<parts>', '<loudness>', '<captioned>']

function lacksTimes(candidate: Candidate, { words }: ReadGoal): boolean {
  const isClip = isWork(candidate) && !('steps' in candidate) && cuts(candidate)
  return isClip && !clipMarks.some((mark) => words.includes(` ${mark} `))
}

export function isWork(candidate: Candidate): candidate is Work {
  return 'id' in candidate
}

function makesCuts(candidate: Candidate): boolean {
  if (!isWork(candidate)) return false
  if (!('steps' in candidate)) return cuts(candidate)
  return endpoints.some((endpoint) => candidate.steps.includes(endpoint.id) && cuts(endpoint))
}
