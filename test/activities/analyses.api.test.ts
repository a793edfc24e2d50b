import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { holdPrice, inspectJob } from '../../activities/inspect.ts'
import { reuseAnalyses } from '../../activities/reuse.ts'
import { runJob } from '../../activities/run.ts'
import { upkeepRuns } from '../../activities/upkeep/index.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import { getJob, findResult, type MediaReference, type PinnedObject } from '../../src/jobs/job-rows.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { bestOfThree } from '../best-of-three.ts'
import { sameSlots } from '../billing/jobs.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { rangedServer } from '../media/source/ranged-server.ts'
import { serveHttp } from '../media/source/source-server.ts'
import { useDependencies } from './use-dependencies.ts'

const deps: Dependencies = { ...(await useDependencies()), mediaAllowHosts: ['127.0.0.1'] }
const { db } = deps

interface Ask {
  readonly accountId: string
  readonly media: MediaReference
  readonly endpoint?: string
  readonly settings?: object
  readonly window?: { readonly startSeconds: number | null; readonly endSeconds: number | null }
}

const step = (work: () => Promise<unknown>) => new MockActivityEnvironment().run(work)

async function accept({ accountId, media, endpoint = 'audio/detect-silence', settings = {}, window }: Ask) {
  const { job } = await acceptJob(db, {
    ...{ jobId: newId('job'), accountId, requestId: newId('req'), endpoint, settings, warnings: [], reference: media },
    ...{ rateMicroUsdPerMinute: 2_000n, maxPriceMicroUsd: undefined },
    ...{ slotLimits: sameSlots(100), maxWaitingJobs: 100, apiKeyId: null },
    window: window ?? { startSeconds: null, endSeconds: null },
  })
  return job
}

/** Runs a job from inspection to its end and returns its result. */
async function ask(asked: Ask, using = deps) {
  const job = await accept(asked)
  await step(() => inspectJob(using, job))
  await step(() => runJob(using, { jobId: job.id }))
  await settleJob(db, job.id)
  return Object(await findResult(db, job.id))
}

/** Dependencies whose tools fail, so that no media is read. */
const blind = (): Dependencies => {
  const fail = async () => {
    throw new Error('the media is read')
  }
  return { ...deps, ffmpeg: { ...deps.ffmpeg, run: fail, probe: fail } }
}

async function upload(
  file: string,
  key = `uploads/${newId('upl')}/media`,
): Promise<MediaReference & { readonly object: PinnedObject }> {
  const { generation } = await deps.storage.write(key, createReadStream(file), 'application/octet-stream')
  return { url: `http://127.0.0.1:1/v1/media/${key}`, object: { key, generation }, name: null }
}

const newAccount = () => createAccount(db, 'analyses')
const keptOf = (accountId: string) => db.analysis.findMany({ where: { accountId } })
const stagedOf = (accountId: string) => db.stagedFolder.findMany({ where: { job: { accountId } } })

describe('a second question', () => {
  it('with other settings or another endpoint reads no media at all', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    expect(await ask({ accountId, media })).toMatchObject({ analysis: 'computed' })
    await deps.storage.delete(media.object.key)
    const settings = { threshold: -30, min_silence_seconds: 0.1 }
    const warm = await ask({ accountId, media, settings }, blind())
    const cold = await ask({ accountId: await newAccount(), media: await upload(speech), settings })
    expect(warm).toEqual({ ...cold, analysis: 'reused' })
    const energy = await ask({ accountId, media, endpoint: 'audio/detect-energy' }, blind())
    expect(energy).toMatchObject({ analysis: 'reused', media_seconds: 73.349 })
    expect(await stagedOf(accountId)).toEqual([])
  })

  it('completes in one step, with hold and capture as usual', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    const answer = async (asked: Partial<Ask> = {}) => {
      const { id: jobId } = await accept({ accountId, media, ...asked })
      const told = await step(() => reuseAnalyses(blind(), { jobId }))
      return { told, job: await getJob(db, jobId), result: await findResult(db, jobId) }
    }
    expect(await answer()).toMatchObject({ told: { isAnswered: false }, job: { status: 'queued' } })
    await ask({ accountId, media })
    expect(await answer({ settings: { threshold: -30 } })).toMatchObject({
      told: { isAnswered: true, isCompleted: true },
      job: { status: 'completed', estimatedMicroUsd: 2_445n, finalMicroUsd: 2_445n },
      result: { analysis: 'reused' },
    })
    const cut = { endpoint: 'video/clip-window', window: { startSeconds: 1, endSeconds: 2 } }
    expect(await answer(cut)).toMatchObject({ told: { isAnswered: false }, job: { status: 'queued' } })
    const late = { window: { startSeconds: 1_000, endSeconds: 2_000 } }
    expect(await answer(late)).toMatchObject({ told: { isAnswered: false }, job: { status: 'queued', error: null } })
  })

  it('about a part of the media reuses the analysis of the whole', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    await ask({ accountId, media })
    const window = { startSeconds: 20, endSeconds: 40.5 }
    expect(await ask({ accountId, media, window }, blind())).toMatchObject({ analysis: 'reused' })
    expect(await keptOf(accountId)).toHaveLength(1)
  })

  it('about the whole, or another track, is measured if only a part or one track was analysed', async () => {
    const [accountId, media] = [await newAccount(), await upload(await fixture('two-tracks.mp4'))]
    await ask({ accountId, media, settings: { audio_track: 0 } })
    expect(await ask({ accountId, media, settings: { audio_track: 'all' } })).toMatchObject({ analysis: 'computed' })
    const reused = await ask({ accountId, media, settings: { audio_track: 'all' } }, blind())
    expect(reused).toMatchObject({ analysis: 'reused' })
    expect(await keptOf(accountId)).toHaveLength(2)
  })

  it('of another account reads the media itself', async () => {
    const media = await upload(speech)
    await ask({ accountId: await newAccount(), media })
    expect(await ask({ accountId: await newAccount(), media })).toMatchObject({ analysis: 'computed' })
  })

  it('about other bytes at the same URL reads them', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    await ask({ accountId, media })
    const replaced = await upload(await fixture('phone.wav'), media.object.key)
    expect(await ask({ accountId, media: replaced })).toMatchObject({ analysis: 'computed', media_seconds: 3 })
  })

  it('lets clip-near find its quiet points without decoding', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    const job = { endpoint: 'video/clip-near', settings: { quiet_threshold: -40 } }
    const window = { startSeconds: 30, endSeconds: null }
    const cold = await ask({ accountId, media, ...job, window })
    expect(await keptOf(accountId)).toEqual([])
    await ask({ accountId, media })
    const decoded: unknown[] = []
    const run: Dependencies['ffmpeg']['run'] = (options) => {
      if (typeof options.output === 'function') decoded.push(options)
      return deps.ffmpeg.run(options)
    }
    const warm = await ask({ accountId, media, ...job, window }, { ...deps, ffmpeg: { ...deps.ffmpeg, run } })
    expect(warm.window).toEqual(cold.window)
    expect(warm.window.start_edge.reason).toBe('quiet')
    expect(decoded).toEqual([])
  })
})

describe('media of a URL', () => {
  /** Serves the file with changeable headers, and records the methods of the requests. */
  async function serve(file: string, headers: { etag?: string; hangs?: boolean; file?: string }) {
    const methods: (string | undefined)[] = []
    const listener: RequestListener = (request, response) => {
      methods.push(request.method)
      if (headers.hangs) return
      response.writeHead(200, headers.etag === undefined ? {} : { etag: headers.etag })
      if (request.method === 'HEAD') response.end()
      else createReadStream(headers.file ?? file).pipe(response)
    }
    const media: MediaReference = {
      ...{ url: `http://127.0.0.1:${await serveHttp(listener)}/a.wav`, object: null, name: null },
    }
    return { media, headers, methods }
  }

  it('is read once while its strong ETag stays, and again when it changes', async () => {
    const { media, headers, methods } = await serve(speech, { etag: '"one"' })
    const accountId = await newAccount()
    expect(await ask({ accountId, media })).toMatchObject({ analysis: 'computed' })
    expect(await ask({ accountId, media }, blind())).toMatchObject({ analysis: 'reused' })
    expect(methods).toEqual(['GET', 'HEAD'])
    headers.etag = '"two"'
    expect(await ask({ accountId, media })).toMatchObject({ analysis: 'computed' })
    expect(methods).toEqual(['GET', 'HEAD', 'HEAD', 'GET'])
  })

  it('that is not fully analysed is waited for without a core', async () => {
    const { media } = await serve(speech, { etag: '"one"' })
    const accountId = await newAccount()
    await ask({ accountId, media, window: { startSeconds: 0, endSeconds: 60 } })
    const inspect = async (of: MediaReference) => {
      const { id: jobId } = await accept({ accountId, media: of })
      return step(async () => inspectJob(blind(), await getJob(db, jobId)))
    }
    expect(await inspect(media)).toMatchObject({ isStreamed: true })
    const stored = await upload(speech)
    await ask({ accountId, media: stored, window: { startSeconds: 0, endSeconds: 60 } })
    expect(await inspect(stored)).toMatchObject({ isStreamed: false })
  })

  it('is not waited for in the single step, which occupies a workflow slot', bestOfThree, async () => {
    const headers: { etag: string; hangs?: boolean } = { etag: '"one"' }
    const { media, methods } = await serve(speech, headers)
    const accountId = await newAccount()
    await ask({ accountId, media })
    headers.hangs = true
    const { id: jobId } = await accept({ accountId, media })
    const began = performance.now()
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toMatchObject({ isAnswered: false })
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(methods).toEqual(['GET', 'HEAD'])
  })

  it('has a hold for the file that is read, if that differs from the analysed one', async () => {
    const { media, headers } = await serve(speech, { etag: '"one"' })
    const accountId = await newAccount()
    await ask({ accountId, media, window: { startSeconds: 0, endSeconds: 60 } })
    const { id: jobId } = await accept({ accountId, media })
    expect(await step(() => reuseAnalyses(deps, { jobId }))).toMatchObject({ isAnswered: false })

    headers.etag = '"two"'
    headers.file = await fixture('phone.wav')
    await step(async () => inspectJob(deps, await getJob(db, jobId)))
    await holdPrice(deps, { jobId })
    const entries = await db.ledgerEntry.findMany({ where: { jobId } })
    const held = entries.reduce(
      (sum, { kind, creditMicroUsd }) => (kind === 'hold' ? sum + creditMicroUsd : sum - creditMicroUsd),
      0n,
    )
    expect(held).toBe(100n)
  })

  it("is finally downloaded whole if its server's ranges are inconsistent", async () => {
    const bytes = await readFile(await fixture('long-film.mp4'))
    let answers = 0
    const listener: RequestListener = (request, response) => {
      const ranged = rangedServer(bytes, { headers: { etag: `"${++answers}"` } })
      ranged.listener(request, response)
    }
    const url = `http://127.0.0.1:${await serveHttp(listener)}/film.mp4`
    const { id: jobId } = await accept({
      accountId: await newAccount(),
      media: { url, object: null, name: null },
    })
    const attempt = (number: number) =>
      new MockActivityEnvironment({ attempt: number }).run(async () => inspectJob(deps, await getJob(db, jobId)))
    await expect(attempt(1)).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    await expect(attempt(2)).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    expect(await attempt(3)).toMatchObject({ isStreamed: false })
    await step(() => runJob(deps, { jobId }))
  })

  it.each([{ etag: 'W/"one"' }, {}])('is read every time with %j', async (headers) => {
    const { media, methods } = await serve(speech, headers)
    const accountId = await newAccount()
    await ask({ accountId, media })
    expect(await ask({ accountId, media })).toMatchObject({ analysis: 'computed' })
    expect(methods).toEqual(['GET', 'GET'])
    expect(await keptOf(accountId)).toEqual([])
  })
})

describe('stored envelopes', () => {
  it('that two jobs measure simultaneously are stored once, and no object of the other remains', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    let arrived = 0
    let open = () => {}
    const bothAreThere = new Promise<void>((resolve) => {
      open = resolve
    })
    const write: Dependencies['storage']['write'] = async (key, ...rest) => {
      if (key.startsWith('analyses/') && ++arrived === 2) open()
      if (key.startsWith('analyses/')) await bothAreThere
      return deps.storage.write(key, ...rest)
    }
    const using = { ...deps, storage: { ...deps.storage, write } }
    const results = await Promise.all([ask({ accountId, media }, using), ask({ accountId, media }, using)])
    expect(results[1]).toEqual(results[0])
    expect(results[0]).toMatchObject({ analysis: 'computed' })
    const kept = await keptOf(accountId)
    expect(kept).toHaveLength(1)
    expect(await deps.storage.stat(kept[0]?.objectKey ?? '')).toBeDefined()
    expect(await stagedOf(accountId)).toEqual([])
  })

  it.each(['gone', 'damaged'])('that are %s are measured again', async (how) => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    const before = await ask({ accountId, media })
    const [kept] = await keptOf(accountId)
    if (how === 'gone') await deps.storage.delete(kept?.objectKey ?? '')
    else await deps.storage.write(kept?.objectKey ?? '', Readable.from([Buffer.from('no')]), 'text/plain')
    expect(await ask({ accountId, media })).toEqual(before)
    expect(await ask({ accountId, media }, blind())).toEqual({ ...before, analysis: 'reused' })
  })

  it('that cannot be stored do not fail the job', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    const write: Dependencies['storage']['write'] = async (key, ...rest) => {
      if (key.startsWith('analyses/')) throw new Error('storage is full')
      return deps.storage.write(key, ...rest)
    }
    const result = await ask({ accountId, media }, { ...deps, storage: { ...deps.storage, write } })
    expect(result).toMatchObject({ analysis: 'computed' })
    expect(await keptOf(accountId)).toEqual([])
  })

  it('are deleted by upkeep after their retention', async () => {
    const [accountId, media] = [await newAccount(), await upload(speech)]
    await ask({ accountId, media })
    const [kept] = await keptOf(accountId)
    const rule = upkeepRuns(deps)['deleteExpiredAnalyses']
    const repair = () => rule?.(new AbortController().signal)
    await repair()
    expect(await keptOf(accountId)).toHaveLength(1)
    const createdAt = new Date(Date.now() - 31 * 86_400_000)
    await db.analysis.updateMany({ where: { accountId }, data: { createdAt } })
    await repair()
    expect(await keptOf(accountId)).toEqual([])
    expect(await deps.storage.stat(kept?.objectKey ?? '')).toBeUndefined()
  })
})
