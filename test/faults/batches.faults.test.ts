import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Batch, MediaTimeline } from '../../clients/typescript/src/index.ts'
import { callbackSecretOf } from '../../src/webhooks/callbacks.ts'
import { speech } from '../fixtures/make.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { isSignedWith } from '../webhooks/verify.ts'
import { upkeepEveryTwoSeconds } from './aftermath.ts'
import { isLongForm } from './cases.ts'
import { type FaultStack, startFaultStack, type Target } from './stack.ts'
import { until } from './until.ts'

const media = isLongForm ? 300 : 40
const killed: readonly Target[] = ['worker', 'api', 'postgres', 'temporal']
const callbacks = isLongForm ? 100 : 12

describe.skipIf(process.platform !== 'linux')('SIGKILL of everything, one after the other', () => {
  let stack: FaultStack
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    stack = await startFaultStack({ variables: { WEBHOOK_ALLOW_HOSTS: receiver.host } })
  })
  afterAll(async () => {
    await stack.stop()
    receiver.stop()
  })

  async function newAccount() {
    const account = await stack.newAccount()
    return { ...account, patient: new MediaTimeline({ apiKey: account.token, baseUrl: stack.apiUrl, maxRetries: 8 }) }
  }

  async function killEach(isNext: (index: number) => Promise<boolean>): Promise<void> {
    for (const [index, target] of killed.entries()) {
      await until(`it is time for ${target}`, () => isNext(index), 600)
      await stack.kill(target)
      await stack.start(target)
    }
  }

  it('a batch of which a tenth is damaged runs the rest once, and a retry only what failed', async () => {
    const { accountId, client, patient } = await newAccount()
    const upload = async (index: number) =>
      index % 10 === 0
        ? client.uploadBytes(`${index}.wav`, Buffer.from(`no media ${index}`))
        : (await patient.uploads.upload(speech)).media_url
    const media_urls: string[] = []
    for (let index = 0; index < media; index++) media_urls.push(await upload(index))

    const request = { endpoint: 'audio/detect-silence', media_urls, cap_usd: 2 } as const
    const { id } = await patient.batches.create(request, { idempotencyKey: 'archive' })
    expect((await patient.batches.create(request, { idempotencyKey: 'archive' })).id).toBe(id)
    const over = async ({ items }: Batch, index: number) =>
      items.completed + items.failed > (index * media) / (killed.length + 1)
    await killEach(async (index) => over(await patient.batches.get(id), index))
    const damaged = Math.ceil(media / 10)
    const counts = { completed: media - damaged, failed: damaged, waiting: 0, running: 0 }
    expect(await patient.batches.wait(id)).toMatchObject({ status: 'completed', items: counts })

    const runs = () => stack.db.workflowRun.count({ where: { accountId } })
    const before = await runs()
    await patient.batches.retry(id)
    expect(await patient.batches.wait(id)).toMatchObject({ status: 'completed', items: counts })
    const failed: string[] = []
    for await (const { media_url, status } of patient.batches.items(id, { status: 'failed', limit: 7 }))
      failed.push(`${media_url} ${status}`)
    expect(failed).toEqual(media_urls.filter((_, index) => index % 10 === 0).map((url) => `${url} failed`))
    expect([before, await runs()]).toEqual([media, media + damaged])
    expect(await stack.db.event.count({ where: { accountId, type: 'batch.completed' } })).toBe(2)
    expect((await stack.db.account.findUniqueOrThrow({ where: { id: accountId } })).heldMicroUsd).toBe(0n)
  }, 1_200_000)

  it('each job is called back, signed, under one id', async () => {
    const { accountId, token, patient } = await newAccount()
    const { media_url } = await patient.uploads.upload(speech)
    const ids = new Set<string>()
    const creating = (async () => {
      for (let n = 0; n < callbacks; n++) {
        const job = { endpoint: 'audio/detect-silence', media_url, settings: { threshold: -20 - n / 10 } } as const
        ids.add((await patient.jobs.create({ ...job, callback_url: receiver.url })).id)
      }
    })()
    await killEach(async (index) => ids.size > (index * callbacks) / (killed.length + 1))
    await creating
    const passUpkeep = upkeepEveryTwoSeconds(stack)
    const areOver = async () => {
      await passUpkeep()
      return (await stack.db.webhookEndpoint.count({ where: { accountId } })) === 0
    }
    await until('every callback has ended', areOver, 300)
    const calls = receiver.received.map(
      ({ headers, body }) => [JSON.parse(body).data.id, headers['webhook-id']] as const,
    )
    expect(new Set(calls.map(([job]) => job))).toEqual(ids)
    expect(new Set(calls.map(([, event]) => event)).size).toBe(ids.size)
    expect(receiver.received.filter((call) => !isSignedWith(callbackSecretOf(token), call))).toEqual([])
  }, 600_000)
})
