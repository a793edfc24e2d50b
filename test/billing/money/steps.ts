import fc from 'fast-check'
import { ServiceError } from '../../../src/core/errors.ts'
import type { Database } from '../../../src/db/database.ts'
import { type Outcome, runLimits } from './model.ts'

/** Up to 4 USD, so that two jobs can use up the credits. */
const seconds = fc.integer({ min: 0, max: 24_000 })
const job = fc.nat({ max: 5 })
const micro = fc.bigInt({ min: 0n, max: 12_000_000n })

/** More successful steps than failing ones. */
const jobSteps = ['estimate', 'estimate', 'draft', 'draft', 'complete', 'complete', 'answer', 'fail', 'cancel'] as const

/** A step of an account: run once, repeated, or with a crash at its commit and a retry. */
const anyStep = fc.record({
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('create'),
        knownSeconds: fc.option(seconds, { freq: 2 }),
        actualSeconds: seconds,
        madeSeconds: seconds,
        key: fc.constantFrom(null, 'maker', 'made'),
        run: fc.option(fc.nat({ max: runLimits.length - 1 }), { freq: 2 }),
        limit: fc.option(micro, { freq: 2 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constantFrom(...jobSteps), job }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cap'), micro: fc.option(micro, { freq: 4 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('key cap'),
        key: fc.constantFrom('maker', 'made'),
        micro: fc.option(micro, { freq: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('grant', 'activate', 'next month') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('payment'), reference: fc.nat({ max: 2 }), micro }) },
  ),
  how: fc.constantFrom('once', 'once', 'twice', 'crash'),
})

const once = (kind: 'grant' | 'activate') =>
  fc.record({ what: fc.record({ kind: fc.constant(kind) }), how: fc.constant('once') })

/** A history of an account, which usually starts with credits and with billing. */
export const anyLife = fc
  .tuple(
    fc.option(once('grant'), { freq: 4 }),
    fc.option(once('activate'), { freq: 2 }),
    fc.array(anyStep, { minLength: 6, maxLength: 24, size: 'max' }),
  )
  .map(([grant, activate, steps]): readonly Step[] => [
    ...(grant ? [grant] : []),
    ...(activate ? [activate] : []),
    ...steps,
  ])

export type Step = typeof anyStep extends fc.Arbitrary<infer Each> ? Each : never

const crashed = new Error('crashed at the commit')

/** The same database, but no transaction commits. */
function crashing(db: Database): Database {
  const $transaction: Database['$transaction'] = async (work: unknown) => {
    if (typeof work !== 'function') throw new Error('only interactive transactions are used')
    return db.$transaction(async (tx) => {
      await work(tx)
      throw crashed
    })
  }
  return new Proxy(db, {
    get: (target, name, self) => (name === '$transaction' ? $transaction : Reflect.get(target, name, self)),
  })
}

/** Runs a step as `how` says; returns the outcome of the committed run. */
export async function runStep(
  db: Database,
  how: Step['how'],
  run: (db: Database) => Promise<unknown>,
): Promise<Outcome | 'crashed'> {
  if (how === 'crash') await outcomeOf(run(crashing(db)))
  const outcome = await outcomeOf(run(db))
  if (how === 'twice') await outcomeOf(run(db))
  return outcome
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome | 'crashed'> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error === crashed) return 'crashed'
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'spend_cap_reached' || code === 'price_limit_reached' || code === 'billing_required') return code
    if (/nothing to publish/.test(String(error))) return 'nothing to publish'
    if (/has a draft/.test(String(error))) return 'has a draft'
    if (/unique constraint/i.test(String(error))) return 'booked already'
    throw error
  }
}
