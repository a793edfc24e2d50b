import { expect, it } from 'vitest'
import { createBackground } from '../../src/core/concurrency.ts'

it('has settled when all of its work has ended', async () => {
  const background = createBackground()
  await background.settled()
  const ends: (() => void)[] = []
  for (let count = 0; count < 3; count++) {
    background.run(
      new Promise((resolve) => {
        ends.push(resolve)
      }),
    )
  }
  let isSettled = false
  const settled = background.settled().then(() => {
    isSettled = true
  })
  for (const end of ends) {
    await Promise.resolve()
    expect(isSettled).toBe(false)
    end()
  }
  await settled
  expect(isSettled).toBe(true)
})
