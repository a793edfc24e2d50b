import type { FaultCase, Moment } from './cases.ts'
import type { GateStep } from './gates.ts'

/** A point in a run of *Remove dead space*: a step of one of its jobs, or its own end. */
export interface ChainPoint {
  /** The position of the job in the run; for the run's end, of the last job. */
  readonly position: number
  readonly endpoint?: string
  readonly step: GateStep
}

export interface ChainCase extends FaultCase {
  readonly point: ChainPoint
}

export interface ChainKillCase extends ChainCase {
  readonly moment: Moment
}

/** The ways to end a run early. */
export const endings = ['run canceled', 'run terminated', 'job canceled', 'job terminated'] as const
export type Ending = (typeof endings)[number]

export interface ChainEndCase extends ChainCase {
  readonly ending: Ending
}

const mediaSteps = ['create', 'inspect', 'hold', 'run', 'finish'] as const
const jobs: readonly { readonly endpoint: string; readonly steps: readonly GateStep[] }[] = [
  { endpoint: 'audio/detect-silence', steps: mediaSteps },
  // It reads no media: one transaction stores its result and ends it.
  { endpoint: 'timeline/suggest-ranges', steps: ['create', 'finish'] },
  { endpoint: 'video/clip-window', steps: mediaSteps },
]
const last = jobs.length - 1

const chainPoints: readonly ChainPoint[] = [
  ...jobs.flatMap(({ endpoint, steps }, position) => steps.map((step) => ({ position, endpoint, step }))),
  { position: last, step: 'end' },
]

const nameOf = ({ endpoint, step }: ChainPoint) => (endpoint ? `\`${step}\` of \`${endpoint}\`` : "the run's `end`")

const completed = { end: 'completed', captures: jobs.length, outputs: 1 }

export const chainKillCases: readonly ChainKillCase[] = (['before', 'after'] as const).flatMap((moment) =>
  chainPoints.map((point) => ({
    section: 'A chain: the worker is killed at a transaction',
    fault: `${moment} the commit of ${nameOf(point)}`,
    expected: completed,
    moment,
    point,
  })),
)

const faults: Readonly<Record<Ending, string>> = {
  'run canceled': "the run's workflow is canceled",
  'run terminated': "the run's workflow is terminated",
  'job canceled': "the job's workflow is canceled",
  'job terminated': "the job's workflow is terminated",
}

export const chainEndCases: readonly ChainEndCase[] = endings.flatMap((ending) =>
  chainPoints
    .filter((point) => isMet(ending, point))
    .map((point) => ({
      section: 'A chain: an operator ends a workflow at a transaction',
      fault: `${faults[ending]} at the commit of ${nameOf(point)}`,
      expected: expectedOf(ending, point),
      ending,
      point,
    })),
)

export const chainCases: readonly FaultCase[] = [...chainKillCases, ...chainEndCases]

/** Excludes impossible cases: a run before its first job, and a job's workflow before its start or after its end. */
function isMet(ending: Ending, { position, step }: ChainPoint): boolean {
  if (step === 'create') return position > 0 && ending.startsWith('run')
  return step !== 'end' || ending.startsWith('run')
}

/** The transaction that waits at its commit counts. A run whose last job completed is completed, however it was ended. */
function expectedOf(ending: Ending, { position, step }: ChainPoint): FaultCase['expected'] {
  const isDone = step === 'finish' || step === 'end'
  // A job that reads no media is one step, which is canceled although it completes.
  const goesOn = ending === 'job canceled' && position !== 1
  if (isDone && (position === last || goesOn)) return completed
  const isCanceled = ending === 'run canceled' || ending === 'job canceled'
  // The open job of a terminated run is canceled.
  const code = isCanceled || (ending === 'run terminated' && !isDone && step !== 'create') ? 'canceled' : 'server_error'
  return { end: `failed: ${code}`, captures: position + (isDone ? 1 : 0), outputs: 0 }
}
