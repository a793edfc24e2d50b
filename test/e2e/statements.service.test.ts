import { afterAll, beforeAll, expect, it } from 'vitest'
import { speech } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { startService } from './service.ts'
import { openStatementCounter, type StatementCounter } from './statement-counter.ts'

let counter: StatementCounter | undefined

// Upkeep would add its own statements.
const service = await startService(
  {},
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
})

/** The statements of API and worker for a job, from its request to the answer of a long poll, with what follows in the background. */
async function statementsOf(media_url: string, settings: object): Promise<string[]> {
  counter?.take()
  const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url, settings })
  expect(await client.ended(id)).toMatchObject({ status: 'completed' })
  const isQuiet = async () =>
    (await db.job.count({ where: { id, dispatchedAt: null } })) + (await db.openWait.count()) === 0
  await untilFound(isQuiet)
  return counter?.take() ?? []
}

// The first is a warm-up. Of several, because a wait reads again where a machine is slow.
const rounds = 4
const kept: string[][] = []
const cold: string[][] = []
beforeAll(async () => {
  for (let round = 0; round < rounds; round++) {
    const media_url = await client.upload(speech)
    cold.push(await statementsOf(media_url, {}))
    kept.push(await statementsOf(media_url, { threshold: -30 - round }))
  }
})

const fewest = (counted: readonly string[][]) => counted.slice(1).toSorted((a, b) => a.length - b.length)[0] ?? []

it.each([
  ['on new audio', cold, 36],
  ['answered from a kept analysis', kept, 27],
])('a job %s takes few statements', (_kind, counted, most) => {
  const statements = fewest(counted)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most)
  expect(statements.length).toBeGreaterThan(10)
})
