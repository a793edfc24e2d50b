import { expect, it, vi } from 'vitest'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { useApi } from '../api.ts'
import { openStream } from './open-stream.ts'

const api = await useApi({ DATABASE_STATEMENT_SECONDS: '1' })

it('stays open while the database does not answer, and then sends what happened meanwhile', async () => {
  const baseUrl = `http://127.0.0.1:${await api.listen()}`
  const page = await signedIn(api)
  const { create } = await api.accountOf(page.accountId)
  const stream = await openStream(baseUrl, page.cookie() ?? '')
  await stream.until('ready')
  const id = await api.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE sessions`
      const waiting = () => tx.$queryRaw`SELECT FROM pg_locks WHERE relation = 'sessions'::regclass AND NOT granted`
      const created = await create()
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), 10_000)
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(0), 10_000)
      return created
    },
    { timeout: 60_000 },
  )
  expect((await stream.until('job')).data.id).toBe(id)
  stream.leave()
})
