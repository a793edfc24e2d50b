import { expect, it } from 'vitest'
import { createShares, holdShares } from '../../../api/http/rate-limits.ts'

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

it('shares that are held stay taken until all of them are given back', () => {
  const shares = createShares({ name: 'exports', perAccount: 2, perProcess: 2 })
  const held = holdShares(shares)
  held.take('a')()
  held.take('a')()
  expect(() => shares.take('a')).toThrow('2 exports of this account are in progress.')
  held.giveBack()
  held.giveBack()
  for (const _each of [1, 2]) shares.take('a')
})
