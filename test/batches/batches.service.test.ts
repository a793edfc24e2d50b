import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startService } from '../e2e/service.ts'
import { speech } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'

const service = await startService({}, { upkeepEverySeconds: 1 })
const { client, db, accountId } = service
const folder = await mkdtemp(path.join(tmpdir(), 'media timeline batches '))
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const counts = z.object({ waiting: z.int(), running: z.int(), completed: z.int(), failed: z.int() })
const batchBody = z.object({
  batch: z.object({ id: z.string(), status: z.string(), progress: z.number(), spent_usd: z.number(), items: counts }),
})
const directiveBody = z.object({ directive: z.object({ id: z.string(), spent_usd: z.number(), items: counts }) })
const itemsBody = z.object({
  items: z.array(
    z.object({
      ...{ upload_id: z.string().optional(), media_url: z.string().optional(), status: z.string() },
      ...{ run_id: z.string().optional(), error: z.object({ code: z.string(), message: z.string() }).optional() },
    }),
  ),
})

const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
  const answer = await client.send(method, url, body)
  return answer.body
}
const getBatch = async (id: string) => batchBody.parse(await send('GET', `/v1/batches/${id}`)).batch
const getDirective = async (id: string) => directiveBody.parse(await send('GET', `/v1/directives/${id}`)).directive
const itemsOf = async (url: string) => itemsBody.parse(await send('GET', `${url}/items`)).items
const ended = (id: string) =>
  untilFound(async () => {
    const batch = await getBatch(id)
    return batch.status !== 'running' && batch
  })

/** An upload with this name. */
async function upload(name: string): Promise<string> {
  const file = path.join(folder, name)
  await copyFile(speech, file)
  return (await client.upload(file)).split('/').at(-1) ?? ''
}

async function damaged(name: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, 'no media at all, but some text')
  return client.upload(file)
}

/** Whatever it did, no cap was passed at any moment: each hold was within it. */
const spentAtMost = async (id: string) => {
  const entries = await db.$queryRaw<{ kind: string; amount: bigint }[]>`
    SELECT kind::text, credit_micro_usd + billable_micro_usd AS amount FROM ledger_entries JOIN jobs ON jobs.id = job_id
    WHERE api_key_id = ${id} ORDER BY ledger_entries.created_at, ledger_entries.id`
  let open = 0n
  let most = 0n
  for (const { kind, amount } of entries) {
    if (kind === 'hold') open += amount
    if (kind === 'release') open -= amount
    if (open > most) most = open
  }
  return Number(most) / 1e6
}

describe('a directive', () => {
  it('runs its chain once on each upload that matches, and on no other', async () => {
    const { directive } = directiveBody.parse(
      await send('POST', '/v1/directives', {
        match: { file_name: 'talk-*_?.WAV' },
        endpoint: 'audio/detect-silence',
        ...{ settings: { threshold: -40 }, metadata: { by: 'rule' }, max_price_usd: 0.02, monthly_cap_usd: 1 },
      }),
    )
    const taken = await Promise.all(['talk-1_a.wav', 'talk-ü_b.wav', 'Talk-100%_c.wav'].map(upload))
    await Promise.all(['talk-1-a.wav', 'talk-1_aa.wav', 'a talk-1_a.wav'].map(upload))
    const done = await untilFound(async () => {
      const { items } = await getDirective(directive.id)
      return items.completed === taken.length && items
    })
    expect(done).toEqual({ waiting: 0, running: 0, completed: 3, failed: 0 })
    const items = await itemsOf(`/v1/directives/${directive.id}`)
    expect(items.map(({ upload_id = '' }) => upload_id).toSorted()).toEqual(taken.toSorted())
    const runs = await db.workflowRun.findMany({
      where: { accountId, apiKeyId: directive.id },
      include: { jobs: true },
    })
    expect(runs.map(({ id }) => id).toSorted()).toEqual(items.map(({ run_id = '' }) => run_id).toSorted())
    expect(runs[0]).toMatchObject({ chain: 'audio/detect-silence', metadata: { by: 'rule' } })
    expect(runs[0]?.jobs[0]?.settings).toMatchObject({ threshold: -40 })
    const listed = await send('GET', '/v1/workflow-runs?metadata[by]=rule')
    expect(z.object({ runs: z.array(z.unknown()) }).parse(listed).runs.length).toBe(3)
  })

  it('refuses what its cap does not allow, takes nothing while it is off, and nothing when it is deleted', async () => {
    const work = { endpoint: 'audio/detect-silence', max_price_usd: 0.02, monthly_cap_usd: 0.005 }
    const { directive } = directiveBody.parse(
      await send('POST', '/v1/directives', { ...work, match: { file_name: 'capped*' } }),
    )
    const { id } = directive
    // Each costs 0.0025 USD: the cap suffices for two.
    for (const name of ['capped1.wav', 'capped2.wav', 'capped3.wav', 'capped4.wav']) await upload(name)
    const items = await untilFound(async () => {
      const found = await itemsOf(`/v1/directives/${id}`)
      return found.length === 4 && found.every(({ status }) => /completed|failed/.test(status)) && found
    })
    expect(items.filter(({ status }) => status === 'completed').length).toBeLessThanOrEqual(2)
    const refusals = items.flatMap(({ error }) => (error ? [`${error.code}: ${error.message}`] : []))
    expect(refusals).toContainEqual(expect.stringMatching(/^spend_cap_reached: .*monthly cap of its directive is left/))
    expect(await spentAtMost(id)).toBeLessThanOrEqual(0.005)
    await send('PATCH', `/v1/directives/${id}`, { enabled: false })
    await upload('capped5.wav')
    await send('PATCH', `/v1/directives/${id}`, { enabled: true })
    await send('DELETE', `/v1/directives/${id}`)
    await upload('capped6.wav')
    expect(await db.batchItem.count({ where: { batchId: id } })).toBe(0)
    expect(await db.workflowRun.count({ where: { apiKeyId: id } })).toBeLessThanOrEqual(4)
  })
})

describe('a batch', () => {
  it('ends when all of its runs have, lists those that failed, and runs them again', async () => {
    const bad = await Promise.all(['bad-1.wav', 'bad-2.wav'].map(damaged))
    const good = await Promise.all(Array.from({ length: 8 }, (_, index) => upload(`good-${index}.wav`)))
    const urls = good.map((id) => `${service.baseUrl}/v1/media/${id}`)
    const media_urls = [...urls.slice(0, 3), ...bad, ...urls.slice(3), `${service.baseUrl}/v1/media/upl_none`]
    const request = { endpoint: 'audio/detect-silence', media_urls, cap_usd: 1, name: 'the archive' }
    const { batch } = batchBody.parse(await send('POST', '/v1/batches', request))
    expect(await ended(batch.id)).toMatchObject({
      status: 'completed',
      progress: 1,
      items: { completed: 8, failed: 3 },
    })
    const items = await itemsOf(`/v1/batches/${batch.id}`)
    expect(items.map(({ media_url }) => media_url)).toEqual(media_urls)
    const failed = items.filter(({ status }) => status === 'failed')
    expect(failed.map(({ error }) => error?.code)).toEqual([
      'unsupported_file_type',
      'unsupported_file_type',
      'not_found',
    ])

    const again = batchBody.parse(await send('POST', `/v1/batches/${batch.id}/retry`, {}))
    expect(again.batch.items.completed).toBe(8)
    await ended(batch.id)
    const runs = await db.workflowRun.findMany({ where: { apiKeyId: batch.id } })
    expect(runs.length).toBe(8 + 2 * 2)
    const events = await db.event.findMany({
      where: { accountId, type: 'batch.completed' },
      orderBy: { position: 'asc' },
    })
    expect(events.map(({ payload }) => JSON.parse(payload).data)).toMatchObject([
      { id: batch.id, name: 'the archive', status: 'completed', completed: 8, failed: 3 },
      { id: batch.id, completed: 8, failed: 3 },
    ])
    await send('DELETE', `/v1/batches/${batch.id}`)
    expect(await db.event.count({ where: { type: 'batch.completed', payload: { not: '' } } })).toBe(0)
    expect(await db.workflowRun.count({ where: { apiKeyId: batch.id, deletedAt: null } })).toBe(12)
  })

  it('runs a chain, and never holds more than its cap', async () => {
    const urls = await Promise.all(Array.from({ length: 6 }, (_, index) => upload(`chain-${index}.wav`)))
    const media_urls = urls.map((id) => `${service.baseUrl}/v1/media/${id}`)
    const request = { workflow_id: 'remove-dead-space', media_urls, cap_usd: 0.03 }
    const { batch } = batchBody.parse(await send('POST', '/v1/batches', request))
    const { items, spent_usd, status } = batchBody.parse(await send('GET', `/v1/batches/${batch.id}?wait=50`)).batch
    expect(status).toBe('completed')
    expect(items.completed + items.failed).toBe(6)
    const messages = (await itemsOf(`/v1/batches/${batch.id}`)).flatMap(({ error }) => (error ? [error.message] : []))
    expect(messages.filter((message) => message.includes('monthly'))).toEqual([])
    expect(messages).toContainEqual(expect.stringContaining('the cap of its batch is left. Retry the batch with'))
    expect(items.completed).toBeGreaterThan(0)
    expect(spent_usd).toBeLessThanOrEqual(0.03)
    expect(await spentAtMost(batch.id)).toBeLessThanOrEqual(0.03)
  })

  it('stops when it is canceled', async () => {
    const id = await upload('canceled.wav')
    const media_urls = Array.from({ length: 40 }, (_, index) => `${service.baseUrl}/v1/media/${id}?copy=${index}`)
    const { batch } = batchBody.parse(
      await send('POST', '/v1/batches', { endpoint: 'audio/detect-silence', media_urls, cap_usd: 1 }),
    )
    await send('POST', `/v1/batches/${batch.id}/cancel`)
    const { status, items } = await ended(batch.id)
    expect(status).toBe('canceled')
    expect(items.failed).toBeGreaterThan(10)
    expect(items.waiting + items.running).toBe(0)
  })
})
