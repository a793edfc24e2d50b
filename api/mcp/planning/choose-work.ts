import { type Chain, chains } from '../../../src/chains/chains.ts'
import { endpoints, endpointsWith } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { type AccountAnswer, type AccountCall, accountCalls } from './account-goals.ts'
import { asksForFile } from './asks-for-file.ts'
import { jobCalls } from './job-goals.ts'
import { deletionAnswer, mediaCalls } from './media-goals.ts'
import { cuts } from './plan-notes.ts'

type Work = Chain | Endpoint

export interface Choice {
  readonly candidate: Candidate
  readonly score: number
}

export type Candidate = Work | AccountCall | AccountAnswer

/** What the goal asks for. A window in which something is found, or cut out, is no clip of its own. */
export function chooseWork(asked: ReadGoal, models: ReadonlySet<ModelName>): Choice | undefined {
  const goal = /<louder>|<quieter>/.test(asked.words) ? withoutWords(asked, changedLevels) : asked
  const found = goal.words.includes(' <within> ') ? chooseAmong(withoutWords(goal, ['<window>']), models) : undefined
  return found ?? chooseAmong(goal, models)
}

/** What is changed is not looked for. */
const changedLevels = ['louder', 'volume', 'quiet', 'too loud', 'loud enough', 'level']

/**
 * The most specific match. Of equal ones, chains come before live endpoints, and these before previews. A clip of a goal without
 * times comes after what finds them. What cuts is for goals that ask for a file: it would charge others for clips that nobody wants.
 */
function chooseAmong(goal: ReadGoal, models: ReadonlySet<ModelName>): Choice | undefined {
  const live = endpointsWith(models).toSorted((a, b) => Number(a.stage === 'preview') - Number(b.stage === 'preview'))
  const matching = [...chains, ...live, ...accountCalls, ...jobCalls, ...mediaCalls, deletionAnswer]
    .map((candidate: Candidate) => ({ candidate, score: matchOf(goal, candidate.goals) }))
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) => b.score - a.score || Number(lacksTimes(a.candidate, goal)) - Number(lacksTimes(b.candidate, goal)),
    )
  const [best] = matching
  if (!best || !makesCuts(best.candidate) || asksForFile(goal)) return best
  const finder = matching.find(({ candidate }) => isWork(candidate) && !makesCuts(candidate))
  return finder ?? (question.test(goal.written.trim()) ? undefined : best)
}

/** No clip answers it. */
const question =
  /^(?:what|where|when|who|which|how(?! (?:do|can|could|should|would) (?:i|we)\b| to\b)|is|are|does|do|did)\b/i

/** Times, and what is done to the whole media. */
const clipMarks = ['<time>', '<window>', '<split>', '<parts>', '<loudness>', '<standard>', '<captioned>']

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
