import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { createBackground } from '../../src/core/background.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { monoWav } from '../../src/core/wav.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { wholeMedia } from '../../src/endpoints/job-window.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'
import { endJob } from '../../src/jobs/end-job.ts'
import { rehearseJob } from '../../src/jobs/rehearsal.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { createSigner } from '../../src/storage/signing.ts'
import { openWorkAttempt, recordInspectedStart, withMedia } from '../../src/store/job-changes.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import type { Dependencies } from '../dependencies.ts'
import { estimateOf } from '../hold.ts'
import { readJobMedia } from '../inspect.ts'
import { draftOnMedia } from '../run.ts'
import { isShortWork } from '../short-work.ts'
import { closeSource } from '../source/open.ts'

/**
 * Plays the steps of `inspectAndRun` for a sound that is not silent, with a storage, a log and metrics of jobs of its own: in the
 * database nothing changes.
 */
export async function rehearseShortJob(worker: Dependencies): Promise<void> {
  const folder = path.join(worker.workDir, 'rehearsal')
  const storage = openLocalStorage({
    directory: path.join(folder, 'objects'),
    baseUrls: ['http://127.0.0.1'],
    signer: createSigner({ keyId: 'rehearsal', secret: randomText(24) }),
  })
  const own = { ...worker, storage, workDir: folder, metrics: createMetrics(), logger: pino({ level: 'silent' }) }
  const { signal } = new AbortController()
  const background = createBackground()
  const endpoint = detectSilenceEndpoint
  try {
    const name = 'sawtooth.wav'
    const sound = sawtoothWav({ seconds: 40, sampleRate: 44_100 })
    const object = await storage.write(`uploads/${newId('upl')}/${name}`, Readable.from([sound]), 'audio/wav')
    const reference = { url: `http://127.0.0.1/${name}`, object, name }
    const work = { endpoint, window: wholeMedia, settings: parseSettings(endpoint, {}), reference }
    await rehearseJob(worker.db, work, async (db, { id }) => {
      const deps = { ...own, db }
      const opened = await openWorkAttempt(db, id)
      if (!opened) throw new Error(`${id} does not wait for its work`)
      const media = await readJobMedia(deps, opened.job, endpoint, signal)
      const job = withMedia(opened.job, media)
      if (!isShortWork(job, endpoint, media.info)) throw new Error('a sawtooth is short')
      const end = { media, estimate: estimateOf(job), startedAt: new Date() }
      await recordInspectedStart(db, id, end)
      const attempt = { name: 'attempt', workDir: path.join(folder, id), background }
      await mkdir(attempt.workDir, { recursive: true })
      const draft = await draftOnMedia(deps, endpoint, { job, attempt, signal })
      await endJob(deps, id, { ...end, draft, attempt: opened.attempt })
      await closeSource(deps, id)
    })
  } finally {
    await background.settled()
    await rm(folder, { recursive: true, force: true })
  }
}

function sawtoothWav({ seconds, sampleRate }: { readonly seconds: number; readonly sampleRate: number }): Buffer {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, index) => ((index * 1_000) % 65_536) - 32_768)
  return monoWav({ samples: Buffer.from(samples.buffer), sampleRate, bitsPerSample: 16 })
}
