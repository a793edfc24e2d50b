import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { makeUpkeepPass, type UpkeepRuns } from '../../../activities/upkeep/rule.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'

type Run = UpkeepRuns[string]

/** Makes a pass of rules, with the log of its errors. */
function pass(rules: UpkeepRuns, { ruleMilliseconds = 60_000 } = {}) {
  const lines: { rule: string; attempt?: number; err?: { message: string } }[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const deps = { logger, metrics: createMetrics() }
  const environment = new MockActivityEnvironment()
  const result = environment.run(() => makeUpkeepPass(deps, rules, { ruleMilliseconds, pauseMilliseconds: 1 }))
  return { result, lines, cancel: () => environment.cancel() }
}

const broken: Run = async () => {
  throw new Error('it broke')
}
const hanging: Run = async () => new Promise(() => {})

it('a rule that fails stops no other, is run twice, and is logged with its name', async () => {
  const { result, lines } = pass({ before: async () => 1, broken, after: async () => 2 })
  expect(await result).toEqual({ repaired: { before: 1, after: 2 }, failed: ['broken'] })
  expect(lines.map(({ rule, attempt, err }) => [rule, attempt, err?.message])).toEqual([
    ['broken', 1, 'it broke'],
    ['broken', 2, 'it broke'],
  ])
})

it('a rule whose second attempt works has not failed', async () => {
  let attempts = 0
  const flaky: Run = async (...given) => {
    attempts += 1
    return attempts === 1 ? broken(...given) : 3
  }
  expect(await pass({ flaky }).result).toEqual({ repaired: { flaky: 3 }, failed: [] })
})

it('a rule that hangs is given up at its time limit, and the others are reported', async () => {
  let isAborted = false
  const told: Run = async (signal) => {
    signal.addEventListener('abort', () => {
      isAborted = true
    })
    return new Promise(() => {})
  }
  const { result } = pass({ told, hanging, working: async () => 1 }, { ruleMilliseconds: 50 })
  expect(await result).toEqual({ repaired: { working: 1 }, failed: expect.toSatisfy((failed) => failed.length === 2) })
  expect(isAborted).toBe(true)
})

it('a canceled pass ends, also while a rule hangs', async () => {
  const { result, cancel } = pass({ hanging })
  cancel()
  await expect(result).rejects.toThrow()
})
