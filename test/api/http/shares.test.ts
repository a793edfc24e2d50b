import { expect, it } from 'vitest'
import { createShares } from '../../../api/http/rate-limits.ts'

it('an account has some shares, and all accounts together a few more', () => {
  const shares = createShares({ name: 'exports', perAccount: 2, perProcess: 3 })
  const giveBack = shares.take('a')
  shares.take('a')
  expect(() => shares.take('a')).toThrow('2 exports of this account are in progress.')
  shares.take('b')
  expect(() => shares.take('c')).toThrow('Too many exports are in progress.')
  giveBack()
  giveBack()
  shares.take('c')
  expect(() => shares.take('a')).toThrow('Too many exports')
})
