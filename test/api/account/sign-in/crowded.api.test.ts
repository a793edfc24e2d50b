import { expect, it } from 'vitest'
import { useApi } from '../../api.ts'
import { newEmail, openPage } from './sign-in.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

it('60 simultaneous sign-ups let the requests of other accounts through', async () => {
  const other = await api.newAccount()
  let answered = 0
  const signUps = Array.from({ length: 60 }, async () => {
    const { status } = await openPage(api).signUp(newEmail())
    answered += 1
    return status
  })
  const reads: { readonly status: number; readonly before: number }[] = []
  while (answered < 60) {
    const { status } = await other.get('/v1/jobs')
    reads.push({ status, before: answered })
  }
  expect(new Set(await Promise.all(signUps))).toEqual(new Set([200]))
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
  // A transaction that hashed would keep its connection from the first read until most sign-ups are over.
  expect(reads[0]?.before).toBeLessThan(30)
})
