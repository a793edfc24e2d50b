import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { FaultRecord } from '../../lab/long-tests.ts'
import { leftOver, outcomeOf, untilEnded } from './aftermath.ts'
import { allCases, type FaultCase } from './cases.ts'
import { type FaultStack, targets } from './stack.ts'

/** A case and the account whose jobs met its fault. */
export interface Met {
  readonly faultCase: FaultCase
  readonly accountId: string
  /** Set if the account has several jobs. */
  readonly jobId?: string
}

/** Waits for the end of the jobs, checks everything that they left, records it for the table, and fails if it is not as expected. */
export async function conclude(stack: FaultStack, met: readonly Met[], withinSeconds = 90): Promise<void> {
  await untilEnded(
    stack,
    met.map(({ accountId }) => accountId),
    withinSeconds,
  )
  const left = await leftOver(stack)
  const seen = await Promise.all(
    met.map(async ({ faultCase, ...whose }) => ({ faultCase, ...(await outcomeOf(stack, whose)) })),
  )
  for (const { faultCase, outcome } of seen) record(faultCase, { ...outcome, leftOver: left })
  expect(seen.map(({ faultCase: { fault }, outcome, wrong }) => ({ fault, outcome, wrong }))).toEqual(
    met.map(({ faultCase: { fault, expected } }) => ({ fault, outcome: expected, wrong: [] })),
  )
  expect(left).toEqual([])
  const died = targets.filter((target) => stack.running(target).child.exitCode !== null)
  expect(died).toEqual([])
}

/** Records that a case cannot run here. */
export function recordSkipped(faultCase: FaultCase, reason: string): void {
  record(faultCase, { skipped: reason, end: '', captures: 0, outputs: 0, leftOver: [] })
}

/** Writes one file per case, named by its position, if `npm run lab -- faults` requests it. */
function record({ section, fault }: FaultCase, seen: Omit<FaultRecord, 'section' | 'fault'>): void {
  const folder = process.env['FAULTS_RECORDS']
  if (!folder) return
  const place = allCases.findIndex((each) => each.fault === fault)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path.join(folder, `${String(place).padStart(4, '0')}.json`),
    JSON.stringify({ section, fault, ...seen }),
  )
}
