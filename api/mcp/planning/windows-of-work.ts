import type { Chain } from '../../../src/chains/chains.ts'
import type { StepSettings } from '../../../src/chains/earlier-jobs.ts'
import { settingsForStep } from '../../../src/chains/step-request.ts'
import { liveEndpoint } from '../../../src/endpoints/catalog.ts'
import { aroundTime, type GoalWindow } from '../../../src/goals/goal-times.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { placeholdersOf } from './placeholders.ts'
import { removesIn } from './removes-in.ts'
import { clipSettingsIn } from './stated-clip-settings.ts'
import { jobCallsFor, type PlannedCall } from './tool-calls.ts'

// Which part of the media the work of a goal covers.

const secondsAroundTime = 15

/** The window that the goal looks at: the one that it names, or that around the only moment. */
export function windowIn({ windows, times }: ReadGoal): GoalWindow | undefined {
  const [window, ...others] = windows
  if (window) return others.length === 0 ? window : undefined
  const [time, ...later] = times
  return time === undefined || later.length > 0 ? undefined : aroundTime(time, secondsAroundTime)
}

/** Of several windows or times, that a job covers one; of one time, how much of the media is looked at. */
export function notesOnWindows({ windows, times }: ReadGoal): string[] {
  const number = windows.length + times.length
  if (number > 1)
    return ['The plan covers the whole media: for these parts alone, create a job for each, with its start and end.']
  return times.length === 0
    ? []
    : [`start and end are ${secondsAroundTime} seconds before and after the time that the goal names.`]
}

/** The part of the media that a run covers. What it does not cover is not in its file. */
export function windowOfRun(chain: Chain, goal: ReadGoal): Partial<GoalWindow> | undefined {
  const window = windowIn(goal)
  if (!window || !chain.cutsOf || !removesIn(goal.text)) return window
  // The window is taken out too.
  if (window.start === '0') return { start: window.end }
  return window.end === '' ? { end: window.start } : undefined
}

/** What a run cannot leave out: a window in the middle of the media. */
export function notesOnRunWindow(chain: Chain, goal: ReadGoal): string[] {
  if (!windowIn(goal) || windowOfRun(chain, goal)) return []
  return [
    'The run does not take the window out that the goal names. First cut the media with video/clip-window, settings.ranges and "ranges_mode": "remove"; then run the chain on the file of that job.',
  ]
}

/** The part of the media from which a chain takes something out, where all of the rest stays. */
export function partCutBy(chain: Chain, goal: ReadGoal): GoalWindow | undefined {
  const isPart = goal.words.includes(' <within> ') || (goal.windows.length === 0 && goal.times.length === 1)
  return chain.cutsOf && isPart ? windowIn(goal) : undefined
}

/** The jobs that take out of a part of the media what a chain takes out of all of it. `stated` are settings of its steps. */
export function jobsOnPart(chain: Chain, goal: ReadGoal, part: GoalWindow, stated: StepSettings): PlannedCall[] {
  const [finder, suggesting, clip] = chain.steps.map(liveEndpoint)
  if (!finder || !suggesting || !clip) return []
  const settingsOf = (id: string) => settingsForStep(chain, stated, id)
  const ranges = [
    ...(part.start === '0' ? [] : [{ start: '0', end: part.start }]),
    placeholdersOf.ranges(suggesting.id),
    ...(part.end === '' ? [] : [{ start: part.end, end: '' }]),
  ]
  const found = placeholdersOf.job(finder.id)
  return [
    ...jobCallsFor(finder, { ...part, settings: settingsOf(finder.id) }, found),
    ...jobCallsFor(
      suggesting,
      { settings: { job_id: found, ...settingsOf(suggesting.id) } },
      placeholdersOf.job(suggesting.id),
    ),
    ...jobCallsFor(clip, { settings: { ranges, ...clipSettingsIn(goal) } }, placeholdersOf.job(clip.id)),
  ]
}
