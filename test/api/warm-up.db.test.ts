import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { warmUpApi } from '../../api/warm-up.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

async function linesOf(startProbe: () => Promise<void>): Promise<string> {
  const lines: string[] = []
  await warmUpApi({ db, jobs: { startProbe }, logger: pino({}, { write: (line: string) => void lines.push(line) }) })
  return lines.join()
}

it('starts a workflow once, for which nothing was stored', async () => {
  const startProbe = vi.fn(async () => {})
  expect(await linesOf(startProbe)).toBe('')
  expect(startProbe).toHaveBeenCalledOnce()
  expect(await db.account.count()).toBe(0)
})

it('an API that cannot warm up starts, and its log says why', async () => {
  expect(await linesOf(() => Promise.reject(new Error('no Temporal')))).toContain('no Temporal')
})
