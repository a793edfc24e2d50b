import { describe, expect, it } from 'vitest'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { chains, isLiveChain, missingSteps } from '../../../src/chains/chains.ts'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { fromUsd } from '../../../src/core/money.ts'
import { admitWaiting, findAdmissibleAccounts } from '../../../src/jobs/admission.ts'
import { recordOutcome } from '../../../src/jobs/probes.ts'
import { findRun } from '../../../src/jobs/run-rows.ts'
import { holdEstimate, settleJob } from '../../../src/jobs/settle-job.ts'
import { settleRun } from '../../../src/jobs/start-and-end.ts'
import { modelNames } from '../../../src/models/models.ts'
import { newBatch } from '../../batches/new-batch.ts'
import { sameSlots } from '../../billing/jobs.ts'
import { untilFound } from '../../until-found.ts'
import { codeOf, mediaUrl, type TestAccount, useApi } from '../api.ts'
import { recordingOf } from '../jobs/media-info.ts'
import { acceptClipStep, completeFirst, runFields, runsUrl, startRun } from './start-run.ts'

/** A chain whose steps need the other model is a preview. */
const models = new Set(modelNames.filter((name) => name !== 'find-faces'))
const api = await useApi({}, { models })
const account = await api.newAccount()
const info = recordingOf(60)

const completed = (runId: string) => completeFirst(api.db, runId)
const clip = (runId: string, maxPriceMicroUsd?: bigint) => acceptClipStep(api.db, runId, maxPriceMicroUsd)

describe('GET /v1/workflows', () => {
  it('lists the chains with their missing endpoints, without a key', async () => {
    const { status, body } = await api.call({ url: '/v1/workflows' })
    expect(status).toBe(200)
    const listed = chains.map((chain) => {
      const stage = isLiveChain(chain, models) ? 'live' : 'preview'
      return expect.objectContaining({ id: chain.id, stage, missing: missingSteps(chain, models) })
    })
    expect(body.workflows).toEqual(listed)
    expect(body.workflows).toContainEqual(expect.objectContaining({ id: 'remove-dead-space', stage: 'live' }))
  })
})

describe('a plan', () => {
  it('has a price for each step and a maximum, and spends nothing', async () => {
    const { accountId, post } = await api.newAccount()
    const { status, body } = await post(runsUrl, {
      media_seconds: 60,
      settings: { 'video/clip-window': { colour: 1 } },
    })
    expect([status, body.plan]).toEqual([
      200,
      {
        media_seconds: 60,
        steps: [
          { endpoint: 'audio/detect-silence', max_price_usd: 0.002 },
          { endpoint: 'timeline/suggest-ranges', max_price_usd: 0 },
          { endpoint: 'video/clip-window', max_price_usd: 0.01 },
        ],
        max_price_usd: 0.012,
        warnings: ['Unknown setting "colour" of video/clip-window was ignored.'],
      },
    ])
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
  })

  it('warns of a limit that the steps can exceed', async () => {
    const warningsAt = async (max_price_usd: number) =>
      (await account.post(runsUrl, { media_seconds: 60, max_price_usd })).body.plan.warnings
    expect(await warningsAt(0.012)).toEqual([])
    expect(await warningsAt(0.011999)).toEqual([expect.stringContaining('max_price_usd is less than')])
  })

  it.each([
    ['a cap', { monthlyCapMicroUsd: 119_999n }, 'What is left of a monthly cap is less than the steps can cost'],
    [
      'the credits',
      { creditMicroUsd: { decrement: 4_880_001n } },
      'What is left of the free credits is less than the steps can cost',
    ],
  ])('warns if the steps can exceed what is left of %s, in the plan and in the run', async (_what, funds, warning) => {
    const { accountId, post } = await api.newAccount()
    const warned = [expect.stringContaining(warning)]
    const long = { media_seconds: 600 }
    await api.db.account.update({ where: { id: accountId }, data: funds })
    expect((await post(runsUrl, long)).body.plan.warnings).toEqual(warned)
    expect((await post(runsUrl, { ...long, max_price_usd: 0.11 })).body.plan.warnings).toEqual([
      expect.stringContaining('max_price_usd is less than'),
    ])
    expect((await post(runsUrl, { ...runFields, ...long })).body.run.warnings).toEqual(warned)
    const credit = { increment: 'creditMicroUsd' in funds ? 4_880_001n : 0n }
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: credit } })
  })

  it.each([
    [runsUrl, { settings: { 'video/clip-window': { ranges: [] } }, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, { max_price_usd: 0.0000001, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, { max_price_usd: 1e13, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, { settings: { 'audio/detect-silence': { threshold: 5 } }, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, { settings: { 'audio/detect-laughter': {} }, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, { start: 10, media_seconds: 9 }, 400, 'invalid_request'],
    [runsUrl, {}, 400, 'invalid_request'],
    ['/v1/workflows/make-coffee/runs', { media_seconds: 9 }, 404, 'not_found'],
    ['/v1/workflows/pick-thumbnails/runs', { ...runFields }, 501, 'endpoint_unavailable'],
  ])('%s refuses %j', async (path, body, status, code) => {
    const answer = await account.post(path, body)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  it('is refused to a key that does not cover every step', async () => {
    const { keyId, post } = await api.newAccount()
    await api.db.apiKey.update({ where: { id: keyId }, data: { scope: 'audio/*' } })
    expect(codeOf(await post(runsUrl, runFields))).toBe('connector_scope_denied')
  })

  it.each([
    [{ preset: 'brutal' }, 'preset: expected one of gentle, normal, tight'],
    [{ preset: 'norml' }, 'preset: expected one of gentle, normal, tight. Did you mean normal?'],
    [{ max_pause_seconds: 0.3, margin_seconds: 0.2 }, 'margin_seconds: at most half of max_pause_seconds.'],
  ])('names the step whose settings it refuses: %j', async (settings, problem) => {
    const answer = await account.post(runsUrl, { ...runFields, settings: { 'timeline/suggest-ranges': settings } })
    expect([answer.status, answer.body.error?.message]).toEqual([
      400,
      expect.stringContaining(`settings["timeline/suggest-ranges"].${problem}`),
    ])
  })
})

it('names the problems of all steps together', async () => {
  const settings = { 'timeline/suggest-ranges': { preset: 'tigt' }, 'video/clip-window': { loudnes: -16 } }
  const { body } = await account.post(runsUrl, { ...runFields, settings })
  expect(body.error.message).toMatch(/Did you mean tight\? .*Did you mean loudness\?/)
})

describe('a setting that its media or another setting rules out', () => {
  const clip = (settings: object) => ({ settings: { 'video/clip-window': settings } })

  it.each([
    [{ captions: {} }, 'settings["video/clip-window"].captions: send job_id'],
    [{ captions: { text: 'hello' } }, 'settings["video/clip-window"].captions.text: line 1'],
    [{ aspect: '1:1', audio_only: true }, 'settings["video/clip-window"].aspect needs a picture'],
  ])('is named as the request has it: %j', async (settings, message) => {
    const answer = await account.post(runsUrl, { media_seconds: 60, ...clip(settings) })
    expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('is named likewise after the media was read', async () => {
    const { accountId, post } = await api.newAccount()
    const answer = post(runsUrl, { media_url: mediaUrl, ...clip({ aspect: '1:1' }) })
    const { id } = await untilFound(() => api.db.probe.findFirst({ where: { accountId } }))
    await recordOutcome(api.db, id, { info: { ...info, video: null } })
    expect((await answer).body.error?.message).toBe(
      'The media has no picture, and settings["video/clip-window"].aspect needs one. Leave it out.',
    )
  })
})

describe('queue_first', () => {
  it('queues only the first job', async () => {
    const { accountId, post } = await api.newAccount()
    const answer = await post(runsUrl, { ...runFields, mode: 'queue_first' })
    expect([answer.status, answer.body.job.endpoint]).toEqual([202, 'audio/detect-silence'])
    expect(await api.db.workflowRun.count({ where: { accountId } })).toBe(0)
  })

  it.each([
    [0.001, 402, 'price_limit_reached'],
    [0.002, 202, undefined],
  ])(
    'within a limit of %s USD answers %i, by the length of the media, whatever was told',
    async (limit, ...expected) => {
      const { accountId, post } = await api.newAccount()
      const answer = post(runsUrl, { ...runFields, mode: 'queue_first', media_seconds: 1, max_price_usd: limit })
      const { id } = await untilFound(() => api.db.probe.findFirst({ where: { accountId } }))
      await recordOutcome(api.db, id, { info })
      expect([(await answer).status, (await answer).body.error?.code]).toEqual(expected)
      expect(await api.db.job.count({ where: { accountId } })).toBe(limit === 0.001 ? 0 : 1)
    },
  )

  it('without a limit is limited by the plan, whatever length was told', async () => {
    const { post } = await api.newAccount()
    const { body } = await post(runsUrl, { ...runFields, mode: 'queue_first', media_seconds: 1 })
    const { limitMicroUsd } = await api.db.job.findUniqueOrThrow({ where: { id: body.job.id } })
    expect(limitMicroUsd).toBe(fromUsd(body.plan.max_price_usd))
  })

  it('fails with price_limit_reached if the media became longer after the plan', async () => {
    const { accountId, post } = await api.newAccount()
    const answer = post(runsUrl, { ...runFields, mode: 'queue_first', max_price_usd: 0.002 })
    const { id } = await untilFound(() => api.db.probe.findFirst({ where: { accountId } }))
    await recordOutcome(api.db, id, { info })
    const { id: jobId } = (await answer).body.job
    await expect(holdEstimate(api.db, jobId, () => 2_001n)).rejects.toMatchObject({ code: 'price_limit_reached' })
    await holdEstimate(api.db, jobId, () => 2_000n)
    expect(await checkLedger(api.db)).toEqual([])
  })

  it('returns its job for an Idempotency-Key, even if the upload was deleted', async () => {
    const { accountId, token, post, upload } = await api.newAccount()
    const request = { mode: 'queue_first', media_url: await upload() }
    const headers = { 'idempotency-key': 'one' }
    const answer = post(runsUrl, request, headers)
    const { id } = await untilFound(() => api.db.probe.findFirst({ where: { accountId } }))
    await recordOutcome(api.db, id, { info })
    const first = await answer
    await settleJob(api.db, first.body.job.id, { code: 'processing_failed', message: 'x' })
    const deleted = await api.call(
      { method: 'DELETE', url: `/v1/uploads/${request.media_url.split('/').at(-1)}` },
      token,
    )
    expect(deleted.status).toBe(200)
    const again = await post(runsUrl, request, headers)
    expect([again.status, again.body.job.id]).toEqual([200, first.body.job.id])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const other = await post(runsUrl, { ...request, media_seconds: 61 }, headers)
    expect([other.status, codeOf(other)]).toEqual([409, 'idempotency_conflict'])
  })
})

describe('run_all', () => {
  it('has its id beside it in every answer, and its jobs are listed by it', async () => {
    const { body: created } = await account.post(runsUrl, runFields)
    const { run_id: runId } = created
    expect(created.run.id).toBe(runId)
    expect((await account.get(`/v1/workflow-runs/${runId}`)).body).toMatchObject({ run_id: runId, run: { id: runId } })
    const first = (await account.post(runsUrl, { ...runFields, mode: 'queue_first' })).body
    expect([first.job_id, first.run_id]).toEqual([first.job.id, undefined])
    const listed = async (from: TestAccount, id: string) => (await from.get(`/v1/jobs?run_id=${id}`)).body
    expect((await listed(account, runId)).jobs).toMatchObject([{ id: stepJobId(runId, 0), run_id: runId }])
    expect((await listed(account, 'run_none')).jobs).toEqual([])
    expect((await listed(await api.newAccount(), runId)).jobs).toEqual([])
    expect((await listed(account, first.job_id)).error.message).toBe('run_id: expected the id of a run.')
    const canceled = await account.post(`/v1/workflow-runs/${runId}/cancel`)
    expect(canceled.body).toMatchObject({ run_id: runId, run: { id: runId } })
  })

  it('that fails by a setting of a step names it as its request does', async () => {
    const runId = await startRun(account)
    const message = 'settings.min_silence_seconds is longer than the media. Lower it.'
    await settleJob(api.db, stepJobId(runId, 0), { code: 'invalid_request', message })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2) })
    const { body } = await account.get(`/v1/workflow-runs/${runId}`)
    expect(body.run.error.message).toBe(
      'settings["audio/detect-silence"].min_silence_seconds is longer than the media. Lower it.',
    )
  })

  it('holds for the first step, starts the workflow, and is shown with its steps', async () => {
    const runId = await startRun(account)
    const { body } = await account.get(`/v1/workflow-runs/${runId}`)
    expect(body.run).toMatchObject({
      status: 'queued',
      price_limit_usd: 0.012,
      steps: [{ job_id: stepJobId(runId, 0), job: { status: 'queued', estimated_price_usd: 0.002 } }, {}, {}],
    })
    expect(body.run.steps.slice(1).flatMap((step: object) => Object.keys(step))).toEqual(['endpoint', 'endpoint'])
    const stranger = await api.newAccount()
    expect((await stranger.get(`/v1/workflow-runs/${runId}`)).status).toBe(404)
  })

  it('is created once for an Idempotency-Key', async () => {
    const { accountId, post } = await api.newAccount()
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [await post(runsUrl, runFields, headers), await post(runsUrl, runFields, headers)]
    expect(second.body.run.id).toBe(first.body.run.id)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await api.db.workflowRun.count({ where: { accountId } })).toBe(1)
    expect((await post(runsUrl, { ...runFields, media_seconds: 61 }, headers)).status).toBe(409)
  })

  it.each(['run_all', 'queue_first'])('of simultaneous requests with one key, one creates it: %s', async (mode) => {
    const { post } = await api.newAccount()
    const send = () => post(runsUrl, { ...runFields, mode }, { 'idempotency-key': 'race' })
    const answers = await Promise.all(Array.from({ length: 4 }, send))
    expect(new Set(answers.map(({ body }) => (body.run ?? body.job).id)).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(3)
    expect(answers.filter(({ body }) => body.plan)).toHaveLength(1)
    for (const { body } of replayed) expect(body).not.toHaveProperty('plan')
  })

  it('counts its first job as created, once', async () => {
    const { post } = await api.newAccount()
    const created = async () => (await api.metrics.jobsCreated.get()).values.reduce((sum, { value }) => sum + value, 0)
    const before = await created()
    for (const headers of [{ 'idempotency-key': 'counted' }, { 'idempotency-key': 'counted' }]) {
      expect((await post(runsUrl, runFields, headers)).status).toBe(202)
    }
    expect(await created()).toBe(before + 1)
  })

  it('can be waited for: the response comes at its end', async () => {
    const runId = await startRun(account)
    const waiting = account.get(`/v1/workflow-runs/${runId}?wait=30`)
    await untilFound(() => api.waits.has(runId))
    const failure = { code: 'canceled', message: 'Canceled.' } as const
    await settleRun(api.db, { runId, lastJobId: 'none', failure })
    expect((await waiting).body.run).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
  })

  it('is read without results while it is open, but for that of its last completed step', async () => {
    const runId = await startRun(account)
    await completed(runId)
    const polled = await findRun(api.db, account.accountId, runId)
    expect(polled?.jobs.map((job) => 'result' in job)).toEqual([false])
    expect((await account.get(`/v1/workflow-runs/${runId}`)).body.run.result).toMatchObject({ media_seconds: 60 })
  })

  it('stores the settings that its steps know, and no others', async () => {
    const threshold = { threshold: -40 }
    const settings = { 'audio/detect-silence': { ...threshold, colour: 'x'.repeat(200_000) } }
    const runId = await startRun(account, { settings })
    expect((await account.get(`/v1/workflow-runs/${runId}`)).body.run.settings).toEqual({
      'audio/detect-silence': threshold,
    })
  })

  it.each([
    ['the limit of the run', { max_price_usd: 0.001 }, 5_000_000n, 'price_limit_reached'],
    ['the credits', {}, 1_000n, 'billing_required'],
  ])('402 where %s does not cover the first step, and nothing is left behind', async (_what, fields, credits, code) => {
    const { accountId, post } = await api.newAccount()
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: credits } })
    const answer = await post(runsUrl, { ...runFields, ...fields })
    expect([answer.status, codeOf(answer)]).toEqual([402, code])
    expect(await api.db.workflowRun.count({ where: { accountId } })).toBe(0)
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: 5_000_000n } })
  })
})

describe('warnings of a run', () => {
  it('are those of its plan and, as they arise, of its jobs', async () => {
    const settings = { 'video/clip-window': { colour: 1 } }
    const runId = await startRun(account, { settings, max_price_usd: 0.011 })
    const ofPlan = [
      expect.stringContaining('max_price_usd is less than'),
      'Unknown setting "colour" of video/clip-window was ignored.',
    ]
    const shown = async () => (await account.get(`/v1/workflow-runs/${runId}`)).body.run.warnings
    expect(await shown()).toEqual(ofPlan)
    await api.db.job.update({ where: { id: stepJobId(runId, 0) }, data: { warnings: ['The media is damaged.'] } })
    expect(await shown()).toEqual([...ofPlan, 'audio/detect-silence: The media is damaged.'])
  })

  it('are empty without a reason', async () => {
    const { body } = await account.post(runsUrl, runFields)
    expect(body.run.warnings).toEqual([])
  })
})

describe('a later step', () => {
  it("is refused if it would exceed the run's limit, which counts captures and holds", async () => {
    const runId = await startRun(account, { max_price_usd: 0.011 })
    await completed(runId)
    await expect(clip(runId)).rejects.toMatchObject({
      code: 'price_limit_reached',
      message: expect.stringMatching(/^This step can cost .* completed steps\.$/),
    })
    expect((await clip(runId, 9_000n)).job.id).toBe(stepJobId(runId, 2))
    expect(await checkLedger(api.db)).toEqual([])
  })

  it("whose media is longer than the run's media_seconds is refused with what to do about it", async () => {
    const runId = await startRun(account, { max_price_usd: 0.011 })
    await expect(holdEstimate(api.db, stepJobId(runId, 0), () => 12_000n)).rejects.toMatchObject({
      code: 'price_limit_reached',
      message: expect.stringMatching(
        /^The media is longer than planned: .* Start the run again without media_seconds\.$/,
      ),
    })
  })

  it.each([
    ['bat', 'Run it again with a higher max_price_usd, and a cap_usd of at least that.'],
    ['dir', 'Raise max_price_usd of the directive for the next ones.'],
  ] as const)('of a %s is refused with its price, the maximum, and where that is raised', async (kind, advice) => {
    const apiKeyId = await newBatch(api.db, { accountId: account.accountId, kind })
    const runId = await startRun(account, { max_price_usd: 0.011 })
    await api.db.job.updateMany({ where: { runId }, data: { apiKeyId } })
    await expect(holdEstimate(api.db, stepJobId(runId, 0), () => 12_000n)).rejects.toMatchObject({
      code: 'price_limit_reached',
      message: `It can cost 0.012 USD, more than the 0.011 USD that are left of max_price_usd. ${advice}`,
    })
  })

  it('is created once, however often it is requested', async () => {
    const runId = await startRun(account)
    await completed(runId)
    const made = await Promise.all([clip(runId), clip(runId), clip(runId)])
    expect(new Set(made.map(({ job }) => job.id)).size).toBe(1)
    expect(made.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
    expect(await api.db.job.count({ where: { runId } })).toBe(2)
  })

  it.each([
    ['was revoked', { revokedAt: new Date() }, 'invalid_api_key'],
    ['has expired', { expiresAt: new Date() }, 'invalid_api_key'],
    ['lost its scope', { scope: 'audio/*' }, 'connector_scope_denied'],
  ])('is refused where the key of the run %s', async (_what, data, code) => {
    const other = await api.newAccount()
    const runId = await startRun(other)
    await completed(runId)
    await api.db.apiKey.update({ where: { id: other.keyId }, data })
    await expect(clip(runId)).rejects.toMatchObject({ code })
  })

  it('uses the slot of its run, which no other job gets until the run ends', async () => {
    const other = await api.newAccount()
    const runId = await startRun(other)
    await completed(runId)
    await other.create()
    await api.db.job.updateMany({ where: { accountId: other.accountId, endedAt: null }, data: { admittedAt: null } })
    expect(await admitWaiting(api.db, other.accountId, sameSlots(1))).toEqual([])
    expect(await findAdmissibleAccounts(api.db, sameSlots(1), { limit: 100 })).not.toContain(other.accountId)
    await clip(runId)
    expect(await admitWaiting(api.db, other.accountId, sameSlots(1))).toEqual([])
    await settleJob(api.db, stepJobId(runId, 2), { code: 'canceled', message: 'Canceled.' })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2) })
    expect((await api.db.workflowRun.findUniqueOrThrow({ where: { id: runId } })).error).toMatchObject({
      code: 'canceled',
    })
    expect(await findAdmissibleAccounts(api.db, sameSlots(1), { limit: 100 })).toContain(other.accountId)
    expect(await admitWaiting(api.db, other.accountId, sameSlots(1))).toHaveLength(1)
  })
})
