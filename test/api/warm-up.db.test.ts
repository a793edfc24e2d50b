import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { type WarmUpApiInput, warmUpApi } from '../../api/warm-up.ts'
import { tracesInDatabase } from '../deletion/traces.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

async function linesOf(changes: Partial<WarmUpApiInput>): Promise<string> {
  const lines: string[] = []
  await warmUpApi({
    config: { BASE_URL: 'http://127.0.0.1:1' },
    storage: { presignGet: () => Promise.reject(new Error('a job without outputs has no URL')) },
    db,
    jobs: { startProbe: async () => {} },
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    ...changes,
  })
  return lines.join()
}

it('plays a job of which the database keeps nothing, and starts a workflow once', async () => {
  const startProbe = vi.fn(async () => {})
  expect(await linesOf({ jobs: { startProbe } })).toBe('')
  expect(startProbe).toHaveBeenCalledOnce()
  expect(await tracesInDatabase(db, [''])).toEqual([])
})

it('an API that cannot warm up starts, and its log says why', async () => {
  expect(await linesOf({ jobs: { startProbe: () => Promise.reject(new Error('no Temporal')) } })).toContain(
    'no Temporal',
  )
})
