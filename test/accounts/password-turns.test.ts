import { expect, it } from 'vitest'
import { createPasswordTurns } from '../../src/accounts/sign-in.ts'

it('hashes two passwords at a time, and refuses those after a hundred that wait', async () => {
  const inTurn = createPasswordTurns()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let running = 0
  let most = 0
  const hash = async () => {
    running += 1
    most = Math.max(most, running)
    await released
    running -= 1
  }
  const accepted = Promise.all(Array.from({ length: 102 }, () => inTurn(hash)))
  await expect(inTurn(hash)).rejects.toMatchObject({ code: 'service_unavailable' })
  release()
  await accepted
  expect(most).toBe(2)
  await inTurn(hash)
})
