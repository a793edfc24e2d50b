import { type FuzzAccount, newFuzzAccount } from './account.ts'
import type { FuzzCase } from './case-types.ts'
import type { FoundCase } from './findings.ts'
import { bytesOf, type FuzzWorld, runCase } from './run-case.ts'

/** More lanes than the worker has media slots, so that jobs wait for each other. */
const lanes = 6
/** Requests change their account: its cap, its keys, its quotas. */
const casesPerAccount = 40

interface NextCase {
  readonly number: number
  readonly case: FuzzCase
  /** The bytes of a replay. */
  readonly bytes?: Buffer | undefined
}

export interface LaneOptions {
  readonly world: FuzzWorld
  /** Returns the API key of a new account. */
  readonly newKey: () => Promise<string>
  readonly next: () =>
    | { readonly number: number; readonly case: FuzzCase; readonly bytes?: Buffer | undefined }
    | undefined
  readonly found: (one: FoundCase, problems: readonly string[]) => void
  readonly count: (what: string) => void
}

export interface Lanes {
  readonly ended: Promise<void>
  /** The cases that run at this moment. */
  running(): FoundCase[]
}

/** Runs the cases of `next` until there are none, several at a time. */
export function startLanes({ world, newKey, next, found, count }: LaneOptions): Lanes {
  const running = new Set<FoundCase>()

  async function runLane(): Promise<void> {
    let account: FuzzAccount | undefined
    let turn = 0
    for (let one = next(); one; one = next()) {
      if (!account || turn % casesPerAccount === 0) account = await newFuzzAccount(await newKey(), world)
      turn += 1
      await runOne(account, one)
    }
  }

  async function runOne(account: FuzzAccount, { number, case: one, bytes = bytesOf(world, one) }: NextCase) {
    const described = { number, case: one, ...(bytes && { base64: bytes.toString('base64') }) }
    const problems: string[] = []
    running.add(described)
    try {
      await runCase(world, account, one, { problem: (text) => problems.push(text), count }, bytes)
    } catch (error) {
      problems.push(`the case could not be run: ${error instanceof Error ? error.message : String(error)}`)
    }
    running.delete(described)
    problems.push(...world.canary.takeHits())
    if (problems.length > 0) found(described, problems)
  }

  return {
    ended: Promise.all(Array.from({ length: lanes }, runLane)).then(() => {}),
    running: () => [...running],
  }
}
