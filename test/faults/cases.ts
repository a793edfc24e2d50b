import type { FaultRecord } from '../../lab/long-tests.ts'
import { chainCases } from './chain-cases.ts'
import { type Step, steps } from './gates.ts'
import { type Target, targets } from './stack.ts'

export type Expected = Pick<FaultRecord, 'end' | 'captures' | 'outputs'>

export interface FaultCase {
  readonly section: string
  /** Unique, because it is the row's name. */
  readonly fault: string
  readonly expected: Expected
}

export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

export interface KillCase extends FaultCase {
  readonly target: Target
  readonly moment: Moment
  readonly step: Step
  /** Whether the job is long enough for parts. */
  readonly inParts: boolean
}

/** Whether every case runs, instead of the few of `npm test`. */
export const isLongForm: boolean = process.env['FAULTS'] === 'all'

const clip: Expected = { end: 'completed', captures: 1, outputs: 1 }
const detection: Expected = { end: 'completed', captures: 1, outputs: 0 }
const failed = (code: string): Expected => ({ end: `failed: ${code}`, captures: 0, outputs: 0 })

const names: Readonly<Record<Target, string>> = {
  worker: 'the worker',
  api: 'the API',
  temporal: 'Temporal',
  postgres: 'PostgreSQL',
}

export const killCases: readonly KillCase[] = [false, true].flatMap((inParts) =>
  targets.flatMap((target) =>
    moments.flatMap((moment) =>
      steps
        .filter((step) => inParts || step !== 'part')
        .map((step) => ({
          section: inParts
            ? 'A process is killed at a transaction of a job in parts'
            : 'A process is killed at a transaction',
          fault: `${names[target]}, ${moment} the commit of \`${step}\`${inParts ? ', in parts' : ''}`,
          expected: clip,
          target,
          moment,
          step,
          inParts,
        })),
    ),
  ),
)

const inTheWork = (fault: string, expected: Expected): FaultCase => ({
  section: 'A process stops while ffmpeg runs',
  fault,
  expected,
})

export const workCases = {
  workerKilled: inTheWork('the worker is killed while ffmpeg runs, which ends with it', clip),
  workerKilledTwice: inTheWork(
    'the worker is killed while ffmpeg runs for a job, and again at its second attempt',
    clip,
  ),
  workerDeployed: inTheWork('the worker is stopped by a deploy (SIGTERM) while ffmpeg runs', clip),
  apiDeployed: inTheWork('the API is stopped by a deploy (SIGTERM) while a create waits at its commit', clip),
  everythingKilled: inTheWork('worker, API, Temporal and PostgreSQL are killed simultaneously while ffmpeg runs', clip),
} satisfies Record<string, FaultCase>

const source = (fault: string, expected: Expected): FaultCase => ({
  section: 'The source of the media fails',
  fault,
  expected,
})

export const sourceCases = {
  stallsOnce: source('stalls at half, once', detection),
  stallsAlways: source('stalls at half, every time', failed('media_unreachable')),
  dropsOnce: source('drops the connection at half, once', detection),
  dropsAlways: source('drops the connection at half, every time', failed('media_unreachable')),
  resumes: source('drops the connection at half, and can resume', detection),
  declaresLess: source('declares a shorter length than it sends', failed('processing_failed')),
  declaresMore: source('declares a longer length than it sends', failed('media_unreachable')),
  rangeLies: source('resumes with a different part than requested', detection),
  changesOnResume: source('serves another file when the download resumes', detection),
  changesBetweenSteps: source('serves a longer file when it is read again after the hold', failed('media_unreachable')),
  neverEnds: source('never ends', failed('media_too_large')),
  errorsOnce: source('answers 503, twice', detection),
} satisfies Record<string, FaultCase>

const disk = (fault: string, expected: Expected): FaultCase => ({ section: 'A disk is full', fault, expected })

export const diskCases = {
  sourceUntilFreed: disk('no space for the source, until some is freed', clip),
  renderUntilFreed: disk('no space for the files that ffmpeg writes, until some is freed', clip),
  objectUntilFreed: disk('no space for the output object, until some is freed', clip),
  always: disk('no space for the output object, permanently', failed('server_error')),
} satisfies Record<string, FaultCase>

const storage = (fault: string, expected: Expected): FaultCase => ({
  section: 'Storage (Google Cloud Storage) fails',
  fault,
  expected,
})

export const storageCases = {
  readErrors: storage('answers reads of the uploaded media with 503, until it recovers', clip),
  readStalls: storage('stalls once while the uploaded media is read', clip),
  writeErrors: storage('answers writes of outputs with 503, until it recovers', clip),
  writeStalls: storage('stalls once while an output is written', clip),
  writeUnheard: storage('stores an output, but its response is lost', clip),
  writeErrorsAlways: storage('answers writes of outputs with 503, permanently', failed('server_error')),
} satisfies Record<string, FaultCase>

const temporal = (fault: string, expected: Expected): FaultCase => ({
  section: 'Temporal is unavailable',
  fault,
  expected,
})

export const temporalCases = {
  stopped: temporal('100 jobs are posted while it is stopped, each accepted within 1.5 s', {
    end: '100 × completed',
    captures: 100,
    outputs: 0,
  }),
  lostEnded: temporal('its database is lost: a job that had ended', clip),
  lostRunning: temporal('its database is lost: a job that was running', failed('server_error')),
  lostUnstarted: temporal('its database is lost: a job that was accepted and not started', clip),
  lostWaiting: temporal('its database is lost: a job that waited for a slot', clip),
} satisfies Record<string, FaultCase>

/** Every case, in the order of the page. */
export const allCases: readonly FaultCase[] = [
  ...killCases,
  ...chainCases,
  ...[workCases, sourceCases, diskCases, storageCases, temporalCases].flatMap((group) =>
    Object.values<FaultCase>(group),
  ),
]
