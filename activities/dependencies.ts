import type { Logger } from 'pino'
import type { AcceptLimits } from '../src/batches/new-run.ts'
import type { BillingProvider } from '../src/billing/provider/provider.ts'
import type { Config } from '../src/config.ts'
import type { KeyedQueue } from '../src/core/concurrency.ts'
import type { Ffmpeg } from '../src/core/ffmpeg.ts'
import type { SigningConfig } from '../src/core/signing-secret.ts'
import type { Database } from '../src/db/database.ts'
import type { SlotLimits } from '../src/jobs/admission.ts'
import type { Mailer } from '../src/mail/mailer.ts'
import type { Cores } from '../src/media/sound/decode-audio.ts'
import type { EnvelopeCache } from '../src/media/sound/envelope-cache.ts'
import type { RangedSources } from '../src/media/source/ranged-source.ts'
import type { ModelPool } from '../src/models/pool.ts'
import type { SourceAccess } from '../src/net/send-request.ts'
import type { Storage } from '../src/storage/storage.ts'
import type { Metrics } from '../src/telemetry/metrics.ts'
import type { Tracing } from '../src/telemetry/tracing.ts'
import type { JobClient } from '../src/temporal/job-client.ts'
import type { Watchdog } from '../src/watchdog/watchdog.ts'

/** The input of what does one thing for a job. */
export interface JobInput {
  readonly jobId: string
}

/** The dependencies of the activities; worker.ts composes them. */
export interface Dependencies {
  readonly db: Database
  readonly storage: Storage
  readonly jobs: JobClient
  readonly ffmpeg: Ffmpeg
  /** Identifies the build of ffmpeg. */
  readonly ffmpegBuild: string
  readonly cores: Cores
  readonly rangedSources: RangedSources
  /** Runs the timeline endpoints of each account one after the other, at most a third of the time: they are free. */
  readonly timelineRuns: KeyedQueue
  readonly envelopeCache: EnvelopeCache
  readonly modelPool: ModelPool
  readonly billing: BillingProvider
  /** Undefined if no mail can be sent. */
  readonly mailer: Mailer | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Ends this process if its event loop blocks, and names the job. */
  readonly watchdog: Pick<Watchdog, 'during' | 'recordedWithinSeconds'>
  /** This worker's folder for sources and temporary files. */
  readonly workDir: string
  readonly maxMediaBytes: number
  readonly mediaAllowHosts: readonly string[]
  /** For runs that it starts itself. */
  readonly config: AcceptLimits['config'] &
    Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL' | 'MEDIA_ALLOW_HOSTS' | 'RETENTION_DAYS'>
  readonly slotLimits: SlotLimits
  readonly webhooks: { readonly signing: SigningConfig; readonly access: SourceAccess }
  /** How long outputs and analyses are stored. */
  readonly retentionDays: number
  /** How long jobs and runs are stored after their end. Undefined: until somebody deletes them. */
  readonly jobRetentionDays: number | undefined
}
