import { expect, it } from 'vitest'
import { addNotice } from '../../../src/mail/notices.ts'
import { codeOf, useApi } from '../api.ts'

const api = await useApi()

const alert = { month: '2026-11', percent: 80, spent_usd: 40, cap_usd: 50 }

it('an account reads its own notices, newest first', async () => {
  const [mine, others] = [await api.newAccount(), await api.newAccount()]
  for (const [{ accountId }, percent] of [
    [mine, 50],
    [mine, 80],
    [others, 90],
  ] as const) {
    const data = { ...alert, percent }
    await addNotice(api.db, { accountId, kind: 'spend_alert', key: String(percent), data })
  }
  const { status, body } = await mine.get('/v1/account/notices')
  expect(status).toBe(200)
  expect(body.notices).toEqual([
    expect.objectContaining({
      kind: 'spend_alert',
      subject: '80 % of your monthly cap is used',
      data: { ...alert, percent: 80 },
    }),
    expect.objectContaining({ data: { ...alert, percent: 50 } }),
  ])
})

it('a key with a narrower scope cannot read them', async () => {
  const { keyId, get } = await api.newAccount()
  await api.db.apiKey.update({ where: { id: keyId }, data: { scope: 'video/*' } })
  const answer = await get('/v1/account/notices')
  expect([answer.status, codeOf(answer)]).toEqual([403, 'connector_scope_denied'])
})
