import type { Logger } from 'pino'
import type { Ffmpeg } from '../src/core/ffmpeg.ts'
import type { Mailer } from '../src/mail/open-mailer.ts'
import type { Cores } from '../src/media/sound/cores.ts'
import type { SpeechModel } from '../src/media/speech/speech-model.ts'
import type { Storage } from '../src/storage/storage.ts'
import type { Database } from '../src/store/database.ts'
import type { Metrics } from '../src/telemetry/metrics.ts'
import type { Tracing } from '../src/telemetry/tracing.ts'
import type { JobClient } from '../src/temporal/job-client.ts'
import type { EnvelopeCache } from './cache/envelope-store.ts'
import type { FetchedSources } from './source/open-sources.ts'

/** What the steps work with; worker.ts composes it. */
export interface Dependencies {
  readonly db: Database
  readonly storage: Storage
  readonly jobs: JobClient
  readonly ffmpeg: Ffmpeg
  /** Tells builds of ffmpeg apart. */
  readonly ffmpegBuild: string
  readonly cores: Cores
  readonly fetchedSources: FetchedSources
  readonly envelopeCache: EnvelopeCache
  readonly speechModel: () => Promise<SpeechModel | undefined>
  /** Where mail can be sent. */
  readonly mailer: Mailer | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** This worker's own folder for sources and files in the making. */
  readonly workDir: string
  readonly maxMediaBytes: number
  readonly mediaAllowHosts: readonly string[]
  /** How many jobs of one account run at once. */
  readonly maxRunningJobs: number
  /** How long outputs are kept. */
  readonly retentionDays: number
}
