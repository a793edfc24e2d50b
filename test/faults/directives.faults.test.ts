import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../scripts/client.ts'
import { isLongForm } from './cases.ts'
import { type FaultStack, startFaultStack, type Target } from './stack.ts'
import { until } from './until.ts'

let stack: FaultStack

beforeAll(async () => {
  stack = await startFaultStack()
})

afterAll(() => stack.stop())

const uploads = isLongForm ? 500 : 24
const killed: readonly Target[] = isLongForm
  ? Array.from({ length: 8 }, () => ['worker', 'api', 'postgres', 'temporal'] as const).flat()
  : ['worker', 'api', 'postgres']

/** A second of silence, with its number in the last bytes. */
function sound(number: number): Buffer {
  const samples = Buffer.alloc(16_000)
  samples.writeInt16LE(number, samples.length - 2)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

const made = z.object({ directive: z.object({ id: z.string() }) })

async function newDirective(client: Client, monthly_cap_usd: number): Promise<string> {
  const work = { endpoint: 'audio/detect-silence', max_price_usd: 0.001, monthly_cap_usd }
  const answer = await client.send('POST', '/v1/directives', { ...work, match: { file_name: 'talk-*' } })
  return made.parse(answer.body).directive.id
}

/** Every upload that arrived, with the items of it and their runs. */
async function outcomes(accountId: string, directiveId: string) {
  return stack.db.$queryRaw<{ items: bigint; runs: bigint; open: bigint }[]>`
    SELECT count(DISTINCT item.id) AS items, count(run.id) AS runs,
      count(*) FILTER (WHERE item.error IS NULL AND run.ended_at IS NULL) AS open
    FROM uploads LEFT JOIN batch_items AS item ON item.upload_id = uploads.id AND batch_id = ${directiveId}
      LEFT JOIN workflow_runs AS run ON run.media_key = uploads.object_key AND run.api_key_id = ${directiveId}
    WHERE uploads.account_id = ${accountId} AND bytes IS NOT NULL GROUP BY uploads.id`
}

/** The most that the runs held and had cost at any moment. */
async function mostSpent(directiveId: string): Promise<bigint> {
  const [row] = await stack.db.$queryRaw<[{ most: bigint }]>`
    SELECT coalesce(max(sum), 0)::bigint AS most FROM (
      SELECT sum(CASE kind WHEN 'hold' THEN amount WHEN 'release' THEN -amount ELSE 0 END) OVER (ORDER BY created_at, id) AS sum
      FROM (
        SELECT ledger_entries.*, credit_micro_usd + billable_micro_usd AS amount
        FROM ledger_entries JOIN jobs ON jobs.id = job_id WHERE api_key_id = ${directiveId}
      ) AS entries
    ) AS sums`
  return row.most
}

describe.skipIf(process.platform !== 'linux')('SIGKILL while uploads arrive', () => {
  it('leaves one run of each upload for each directive that takes it, and passes no cap', async () => {
    const { accountId, client } = await stack.newAccount()
    const all = await newDirective(client, 10)
    // A second of sound costs 34 millionths of a dollar.
    const some = await newDirective(client, (uploads * 17 + 1000) / 1e6)
    let sent = 0
    const sending = (async () => {
      while (sent < uploads) {
        // An upload that breaks off is sent again, as another one.
        await client.uploadBytes(`talk-${sent}.wav`, sound(sent)).then(
          () => (sent += 1),
          () => delay(100),
        )
      }
    })()
    for (const [index, target] of killed.entries()) {
      const next = Math.floor(((index + 1) * uploads) / (killed.length + 1))
      await until(`${next} uploads`, () => sent >= next, 600)
      await stack.kill(target)
      await stack.start(target)
    }
    await sending
    for (const id of [all, some]) {
      const isOver = async () => (await outcomes(accountId, id)).every(({ items, open }) => items > 0n && open === 0n)
      await until('every run has ended', isOver, isLongForm ? 1800 : 200)
    }
    const ofAll = await outcomes(accountId, all)
    expect(ofAll.length).toBeGreaterThanOrEqual(uploads)
    expect(ofAll.filter(({ items, runs }) => items !== 1n || runs !== 1n)).toEqual([])
    const ofSome = await outcomes(accountId, some)
    expect(ofSome.filter(({ items, runs }) => items !== 1n || runs > 1n)).toEqual([])
    expect(await mostSpent(some)).toBeLessThanOrEqual(BigInt(uploads * 17 + 1000))
    expect(ofSome.some(({ runs }) => runs === 0n)).toBe(true)
  }, 2_400_000)
})
