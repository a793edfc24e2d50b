import { createHash } from 'node:crypto'
import { createKey } from '../../../src/accounts/keys.ts'
import { activateBilling } from '../../../src/billing/activate-billing.ts'
import { freeCreditsMicroUsd } from '../../../src/billing/credits.ts'
import { append } from '../../../src/billing/ledger.ts'
import { changeLimits } from '../../../src/billing/limits.ts'
import { recordPayment } from '../../../src/billing/payments.ts'
import { newId } from '../../../src/core/ids.ts'
import { billingMonth } from '../../../src/core/money.ts'
import type { Database } from '../../../src/db/database.ts'
import { holdEstimate, settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip, answerClip, clipPrice, draftClip } from '../jobs.ts'
import * as money from './model.ts'
import { runStep, type Step } from './steps.ts'

/** An account in the database and its model, to which each step is applied. It starts without money. */
export async function openModelAccount(db: Database, clock: { nextMonth(): void }) {
  const accountId = newId('acct')
  await db.account.create({ data: { id: accountId, name: 'model' } })
  const { keyId: maker } = await createKey(db, { accountId, name: 'maker' })
  const { keyId: made } = await createKey(db, { accountId, name: 'made', makerId: maker })
  const keyIds = { maker, made }
  const runIds = money.runLimits.map(() => newId('run'))
  await db.workflowRun.createMany({
    data: money.runLimits.map((limitMicroUsd, index) => ({
      ...{ id: runIds[index] ?? '', accountId, requestId: newId('req'), chain: 'remove-dead-space' },
      ...{ mediaUrl: '', mediaSeconds: 1, settings: {}, limitMicroUsd },
    })),
  })
  const model = money.newModel()
  const jobIds: string[] = []
  const bodyHash = new Uint8Array(createHash('sha256').update('the same').digest())
  let created = 0

  /** The work of a step on the service and on the model; undefined if the job does not exist. */
  const workOf = (what: Step['what']): [(db: Database) => Promise<unknown>, () => money.Outcome] | undefined => {
    switch (what.kind) {
      case 'create': {
        const idempotency = { method: 'POST', path: '/v1/jobs', key: `${created++}`, bodyHash }
        return [
          async (on) => {
            const { job, isRepeat } = await acceptClip(on, accountId, {
              seconds: what.knownSeconds,
              idempotency,
              apiKeyId: what.key && keyIds[what.key],
              ...(what.run === null ? {} : { runId: runIds[what.run] ?? '' }),
              limitMicroUsd: what.limit ?? undefined,
            })
            if (!isRepeat) jobIds.push(job.id)
          },
          () => money.create(model, what, billingMonth(new Date())),
        ]
      }
      case 'cap': {
        const change = { accountId, monthlyCapMicroUsd: what.micro, requestId: newId('req') }
        return [(on) => changeLimits(on, change), () => money.setCap(model, what.micro)]
      }
      case 'key cap': {
        const change = { where: { id: keyIds[what.key] }, data: { monthlyCapMicroUsd: what.micro } }
        return [(on) => on.apiKey.update(change), () => money.setKeyCap(model, what.key, what.micro)]
      }
      case 'payment': {
        const payment = { accountId, reference: `${what.reference}`, amountMicroUsd: what.micro }
        return [(on) => recordPayment(on, payment), () => money.pay(model, payment.reference, what.micro)]
      }
      case 'grant': {
        const amount = { credit: freeCreditsMicroUsd, billable: 0n }
        const entry = { accountId, jobId: null, kind: 'grant', step: 'sign-up', amount } as const
        return [(on) => on.$transaction((tx) => append(tx, entry)), () => money.grant(model)]
      }
      case 'activate':
        return [(on) => activateBilling(on, accountId), () => money.activate(model)]
      case 'next month':
        return [async () => clock.nextMonth(), () => 'ok']
      case 'estimate':
      case 'draft':
      case 'complete':
      case 'answer':
      case 'fail':
      case 'cancel':
        return jobWork(what)
    }
  }

  const jobWork = (what: Extract<Step['what'], { job: number }>): ReturnType<typeof workOf> => {
    const index = what.job % Math.max(1, jobIds.length)
    const [jobId, job] = [jobIds[index], model.jobs[index]]
    if (!jobId || !job) return undefined
    switch (what.kind) {
      case 'estimate':
        return [(on) => holdEstimate(on, jobId, () => clipPrice(job.actualSeconds)), () => money.estimate(model, job)]
      case 'draft':
        return [(on) => draftClip(on, jobId, job.madeSeconds * 1000), () => money.draft(job)]
      case 'complete':
        return [(on) => settleJob(on, jobId), () => money.complete(model, job)]
      case 'answer':
        return [(on) => answerClip(on, jobId, job), () => money.answer(model, job)]
      case 'fail':
      case 'cancel': {
        const code = what.kind === 'fail' ? 'processing_failed' : 'canceled'
        return [(on) => settleJob(on, jobId, { code, message: 'No.' }), () => money.fail(model, job)]
      }
    }
  }

  return {
    accountId,
    model,
    jobIds,
    /** Runs the step on both; returns the actual and the expected outcome. */
    run: async ({ what, how }: Step) => {
      const work = workOf(what)
      if (!work) return { outcome: 'ok', expected: 'ok' }
      return { outcome: await runStep(db, how, work[0]), expected: work[1]() }
    },
  }
}
