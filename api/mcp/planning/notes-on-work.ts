import type { Chain } from '../../../src/chains/chains.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { asksForFile } from './asks-for-file.ts'
import { notesOnJoined } from './joined-clips.ts'
import { notesOnCrops, notesOnFrames } from './notes-on-frames.ts'
import { notesOnCheers, notesOnLibrary, notesOnSentences, notesOnTimes } from './notes-on-reading.ts'
import { notesOnPlaceholders } from './placeholder-notes.ts'
import {
  notesOnChains,
  notesOnCuts,
  notesOnExports,
  notesOnFinders,
  notesOnLanguage,
  notesOnQueries,
  notesOnSplits,
  notesOnTrims,
  notesOnWordCuts,
  type Planned,
} from './plan-notes.ts'
import { notesOnFileSize, notesOnLoudness, notesOnSize } from './stated-clip-settings.ts'
import { notesOnMode } from './stated-mode.ts'
import { isAtTimes } from './stated-settings.ts'
import { notesOnRunWindow, notesOnWindows } from './windows-of-work.ts'

/** What a plan of one endpoint says. `wanted` is its request. */
export function notesOnEndpoint(goal: ReadGoal, endpoint: Endpoint, wanted: object): string[] {
  const steps = [endpoint.id]
  return [
    ...notesOnWork(goal, steps, wanted),
    ...(isAtTimes(endpoint) ? [] : notesOnWindows(goal)),
    ...notesOnFrames(goal, endpoint),
    ...notesOnFinders(goal, endpoint),
    ...notesOnSplits(goal, endpoint),
    ...notesOnTrims(goal, endpoint, wanted),
    ...notesOnSentences(goal, endpoint),
    ...notesOnExports(goal, { of: 'job', steps, stated: wanted }),
    ...(asksForFile(goal) ? notesOnCuts(goal, endpoint) : []),
  ]
}

/** What a plan of a chain says, beside what its steps need. */
export function notesOnChain(goal: ReadGoal, chain: Chain, planned: Planned): string[] {
  return [
    ...notesOnWindows(goal),
    ...notesOnRunWindow(chain, goal),
    ...notesOnChains(goal, chain),
    ...notesOnWordCuts(goal, planned.stated),
    ...notesOnExports(goal, planned),
  ]
}

/** What follows from the endpoints of a plan, and from their arguments. */
export function notesOnWork(goal: ReadGoal, steps: readonly string[], given: object): string[] {
  return [
    ...notesOnPlaceholders(given),
    ...notesOnLoudness(goal, given),
    ...notesOnMode(goal, given),
    ...notesOnJoined(goal, given),
    ...notesOnSize(goal, given),
    ...notesOnFileSize(goal, given),
    ...notesOnCheers(goal, steps),
    ...notesOnTimes(goal),
    ...notesOnLibrary(goal, steps),
    ...notesOnQueries(goal, steps),
    ...notesOnCrops(goal, steps),
    ...notesOnLanguage(goal, steps),
  ]
}
