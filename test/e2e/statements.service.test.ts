import { afterAll, beforeAll, expect, it } from 'vitest'
import { speech } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { startService } from './service.ts'
import { openStatementCounter, type StatementCounter } from './statement-counter.ts'

let counter: StatementCounter | undefined

// Upkeep would add its own statements.
const receiver = await startReceiver()
const service = await startService(
  { WEBHOOK_ALLOW_HOSTS: receiver.host },
  {
    upkeepEverySeconds: 3_600,
    openLinkTo: async (databaseUrl) => {
      counter = await openStatementCounter(databaseUrl)
      return counter.url
    },
  },
)
const { client, db } = service

afterAll(async () => {
  await service.stop()
  counter?.close()
  receiver.stop()
})

/** The statements of API and worker for a job, from its request to the answer of a long poll, with what follows in the background. */
async function statementsOf(media_url: string, settings: object): Promise<string[]> {
  counter?.take()
  const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url, settings })
  expect(await client.ended(id)).toMatchObject({ status: 'completed' })
  const isQuiet = async () =>
    (await db.job.count({ where: { id, dispatchedAt: null } })) +
      (await db.openWait.count()) +
      (await db.delivery.count({ where: { status: 'pending' } })) ===
    0
  await untilFound(isQuiet)
  return counter?.take() ?? []
}

// The first is a warm-up. Of several, because a wait reads again where a machine is slow.
const rounds = 4
type Counted = Readonly<Record<'cold' | 'kept', string[][]>>
const plain: Counted = { cold: [], kept: [] }
const told: Counted = { cold: [], kept: [] }

async function count({ cold, kept }: Counted): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const media_url = await client.upload(speech)
    cold.push(await statementsOf(media_url, {}))
    kept.push(await statementsOf(media_url, { threshold: -30 - round }))
  }
}

beforeAll(async () => {
  await count(plain)
  const { status } = await client.send('POST', '/v1/webhook-endpoints', {
    url: receiver.url,
    event_types: ['job.completed'],
  })
  expect(status).toBe(201)
  await count(told)
})

const fewest = (counted: readonly string[][]) => counted.slice(1).toSorted((a, b) => a.length - b.length)[0] ?? []

it.each([
  ['on new audio', plain.cold, 31],
  ['answered from a kept analysis', plain.kept, 24],
  ['on new audio, whose end a webhook endpoint is told', told.cold, 33],
  ['answered from a kept analysis, whose end a webhook endpoint is told', told.kept, 26],
])('a job %s takes few statements', (_kind, counted, most) => {
  const statements = fewest(counted)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most)
  expect(statements.length).toBeGreaterThan(10)
})

it('each end was told once', () => expect(receiver.received).toHaveLength(2 * rounds))
