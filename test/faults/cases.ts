import type { FaultRecord } from '../../scripts/faults/page.ts'
import { chainCases } from './chain-cases.ts'
import { type Step, steps } from './gates.ts'
import { type Target, targets } from './stack.ts'

export type Expected = Pick<FaultRecord, 'end' | 'captures' | 'outputs'>

export interface FaultCase {
  readonly section: string
  /** Unique: it is the row's name. */
  readonly fault: string
  readonly expected: Expected
}

export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

export interface KillCase extends FaultCase {
  readonly target: Target
  readonly moment: Moment
  readonly step: Step
}

/** Runs every case, instead of the few that `npm test` has time for. */
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

export const killCases: readonly KillCase[] = targets.flatMap((target) =>
  moments.flatMap((moment) =>
    steps.map((step) => ({
      section: 'A process is killed at a step',
      fault: `${names[target]}, ${moment} the commit of \`${step}\``,
      expected: clip,
      target,
      moment,
      step,
    })),
  ),
)

const inTheWork = (fault: string, expected: Expected): FaultCase => ({
  section: 'In the middle of the work',
  fault,
  expected,
})

export const workCases = {
  workerKilled: inTheWork('the worker is killed while ffmpeg runs, and ffmpeg goes on', clip),
  workerDeployed: inTheWork('the worker is stopped by a deploy (SIGTERM) while ffmpeg runs', clip),
  apiDeployed: inTheWork('the API is stopped by a deploy (SIGTERM) while a create waits at its commit', clip),
  everythingKilled: inTheWork('worker, API, Temporal and PostgreSQL are killed at once while ffmpeg runs', clip),
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
  declaresLess: source('says that it is shorter than it is', failed('processing_failed')),
  declaresMore: source('says that it is longer than it is', failed('media_unreachable')),
  rangeLies: source('resumes with another part than was asked for', detection),
  changesOnResume: source('is another file when the download is resumed', detection),
  changesBetweenSteps: source(
    'is a longer file when it is read again after the price was held',
    failed('media_unreachable'),
  ),
  neverEnds: source('never ends', failed('media_too_large')),
  errorsOnce: source('answers 503, twice', detection),
} satisfies Record<string, FaultCase>

const disk = (fault: string, expected: Expected): FaultCase => ({ section: 'A disk is full', fault, expected })

export const diskCases = {
  sourceUntilFreed: disk('no room for the source, until space is freed', clip),
  renderUntilFreed: disk('no room for what ffmpeg writes, until space is freed', clip),
  objectUntilFreed: disk('no room for the output object, until space is freed', clip),
  always: disk('no room for the output object, ever', failed('server_error')),
} satisfies Record<string, FaultCase>

const storage = (fault: string, expected: Expected): FaultCase => ({
  section: 'Storage (Google Cloud Storage) fails',
  fault,
  expected,
})

export const storageCases = {
  readErrors: storage('answers 503 to reads of the uploaded media, until it recovers', clip),
  readStalls: storage('stalls while the uploaded media is read, once', clip),
  writeErrors: storage('answers 503 to the writing of outputs, until it recovers', clip),
  writeStalls: storage('stalls while an output is written, once', clip),
  writeUnheard: storage('stores an output, and its answer is lost', clip),
  writeErrorsAlways: storage('answers 503 to the writing of outputs, ever', failed('server_error')),
} satisfies Record<string, FaultCase>

const temporal = (fault: string, expected: Expected): FaultCase => ({ section: 'Temporal is gone', fault, expected })

export const temporalCases = {
  stopped: temporal('100 jobs are posted while it is stopped, each accepted within 1.5 s', {
    end: '100 × completed',
    captures: 100,
    outputs: 0,
  }),
  lostEnded: temporal('its database is lost: a job that had ended', clip),
  lostRunning: temporal('its database is lost: a job that was running', failed('server_error')),
  lostUnstarted: temporal('its database is lost: a job that was accepted and never started', clip),
  lostWaiting: temporal('its database is lost: a job that waited for a running place', clip),
} satisfies Record<string, FaultCase>

/** Every case, in the order of the page. */
export const allCases: readonly FaultCase[] = [
  ...killCases,
  ...chainCases,
  ...[workCases, sourceCases, diskCases, storageCases, temporalCases].flatMap((group) =>
    Object.values<FaultCase>(group),
  ),
]
