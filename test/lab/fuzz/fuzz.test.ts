import { expect, it } from 'vitest'
import { onceReachable } from '../../../lab/fuzz/fuzz.ts'

const timeout = () => new Error('timeout exceeded when trying to connect')

/** Work that fails with each of the errors, and then succeeds. */
function workAfter(...errors: readonly Error[]) {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error) throw error
    return 'done'
  }
}

it('repeats work while the database cannot be reached', async () => {
  expect(await onceReachable(workAfter(timeout(), timeout()), { milliseconds: 0 })).toBe('done')
})

it('gives up in the end, and immediately for any other error', async () => {
  const twice = { attempts: 2, milliseconds: 0 }
  await expect(onceReachable(workAfter(timeout(), timeout()), twice)).rejects.toThrow('timeout exceeded')
  await expect(onceReachable(workAfter(new Error('a bug')), twice)).rejects.toThrow('a bug')
})
