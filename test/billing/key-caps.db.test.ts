import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeKey } from '../../src/accounts/make-key.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { changeKey, changeLimits } from '../../src/billing/limits.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { billingMonth } from '../../src/core/money.ts'
import { holdEstimate, settleJob } from '../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip, clipPrice, draftClip } from './jobs.ts'

const db = await openTestDatabase()
const month = billingMonth(new Date())

/** The price of a minute of a clip. */
const minute = clipPrice(60)

async function newKey(accountId: string, given: Partial<Parameters<typeof makeKey>[1]> = {}): Promise<string> {
  return (await makeKey(db, { accountId, name: 'key', ...given })).keyId
}

const accept = (accountId: string, apiKeyId: string, minutes: number | null) =>
  acceptClip(db, accountId, { seconds: minutes === null ? null : minutes * 60, apiKeyId })

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

async function spentBy(keyId: string): Promise<bigint> {
  const sums = await db.keyMonth.findUnique({ where: { keyId_month: { keyId, month } } })
  return (sums?.heldMicroUsd ?? 0n) + (sums?.capturedMicroUsd ?? 0n)
}

describe('the monthly cap of a key', () => {
  it('refuses the job that would exceed it, at create and at its estimate, and leaves other keys alone', async () => {
    const accountId = await createAccount(db, 'capped')
    const capped = await newKey(accountId, { monthlyCapMicroUsd: 3n * minute })
    const other = await newKey(accountId)
    expect(await codeOf(accept(accountId, capped, 2))).toBe('ok')
    expect(await codeOf(accept(accountId, capped, 2))).toBe('spend_cap_reached')
    expect(await codeOf(accept(accountId, other, 2))).toBe('ok')
    const { job } = await accept(accountId, other, null)
    await db.apiKey.update({ where: { id: other }, data: { monthlyCapMicroUsd: 5n * minute } })
    await expect(holdEstimate(db, job.id, () => 4n * minute)).rejects.toMatchObject({
      code: 'spend_cap_reached',
      message:
        'This job needs 0.02 USD more than it holds, and 0.01 USD of the monthly cap of this credential is left. Ask the owner of the account to raise it, or wait for the next month.',
    })
    await expect(holdEstimate(db, job.id, () => 6n * minute)).rejects.toThrow(
      /is left\. Ask the owner of the account to raise it\.$/,
    )
    expect(await codeOf(holdEstimate(db, job.id, () => 3n * minute))).toBe('ok')
  })

  it('counts what is held and charged, not what is released', async () => {
    const accountId = await createAccount(db, 'counted')
    const key = await newKey(accountId, { monthlyCapMicroUsd: 4n * minute })
    const { job } = await accept(accountId, key, 4)
    await draftClip(db, job.id, 60_000)
    await settleJob(db, job.id)
    expect(await spentBy(key)).toBe(minute)
    const { job: failing } = await accept(accountId, key, 3)
    expect(await codeOf(accept(accountId, key, 1))).toBe('spend_cap_reached')
    await settleJob(db, failing.id, { code: 'processing_failed', message: 'No.' })
    expect(await spentBy(key)).toBe(minute)
    expect(await codeOf(accept(accountId, key, 3))).toBe('ok')
  })

  it('is not escaped by creating keys: what they spend counts for every key above them', async () => {
    const accountId = await createAccount(db, 'escaping')
    const maker = await newKey(accountId, { monthlyCapMicroUsd: 3n * minute })
    const child = await newKey(accountId, { makerId: maker })
    const grandchild = await newKey(accountId, { makerId: child, monthlyCapMicroUsd: 2n * minute })
    expect((await db.apiKey.findUniqueOrThrow({ where: { id: child } })).monthlyCapMicroUsd).toBe(3n * minute)
    expect(await codeOf(accept(accountId, grandchild, 2))).toBe('ok')
    expect(await Promise.all([maker, child, grandchild].map(spentBy))).toEqual([2n * minute, 2n * minute, 2n * minute])
    expect(await codeOf(accept(accountId, grandchild, 1))).toBe('spend_cap_reached')
    expect(await codeOf(accept(accountId, child, 2))).toBe('spend_cap_reached')
    expect(await codeOf(accept(accountId, maker, 1))).toBe('ok')
    const fresh = await newKey(accountId, { makerId: maker })
    expect(await codeOf(accept(accountId, fresh, 1))).toBe('spend_cap_reached')
  })

  it('is not above that of the key that creates it, and gives no right that its maker lacks', async () => {
    const accountId = await createAccount(db, 'bounded')
    const maker = await newKey(accountId, { monthlyCapMicroUsd: minute })
    const make = (given: object) => codeOf(newKey(accountId, { makerId: maker, ...given }))
    expect(await make({ monthlyCapMicroUsd: minute + 1n })).toBe('invalid_request')
    expect(await make({ mayRaiseLimits: true })).toBe('connector_scope_denied')
    expect(await make({ monthlyCapMicroUsd: minute })).toBe('ok')
  })
})

describe('a key without the right to raise limits', () => {
  it.each([false, true])('lowers caps, and raises or removes them only with the right (%s)', async (mayRaiseLimits) => {
    const accountId = await createAccount(db, 'raising')
    const changerId = await newKey(accountId, { mayRaiseLimits })
    const keyId = await newKey(accountId, { monthlyCapMicroUsd: 10n })
    const raise = mayRaiseLimits ? 'ok' : 'connector_scope_denied'
    const setKey = (cap: bigint | null) =>
      codeOf(changeKey(db, { accountId, keyId, monthlyCapMicroUsd: cap, changerId }))
    expect([await setKey(11n), await setKey(5n), await setKey(null)]).toEqual([raise, 'ok', raise])
    const setAccount = (cap: bigint | null, key: string | undefined = changerId) =>
      codeOf(changeLimits(db, { accountId, monthlyCapMicroUsd: cap, requestId: 'req_1', keyId: key }))
    expect([await setAccount(10n), await setAccount(5n)]).toEqual(['ok', 'ok'])
    expect([await setAccount(6n), await setAccount(null)]).toEqual([raise, raise])
    expect(await codeOf(changeLimits(db, { accountId, monthlyCapMicroUsd: null, requestId: 'req_2' }))).toBe('ok')
  })

  it.each([
    ['revoked', { revokedAt: new Date() }],
    ['expired', { expiresAt: new Date() }],
  ])('changes nothing once it is %s, even if its request was admitted before', async (_, ended) => {
    const accountId = await createAccount(db, 'ended')
    const changerId = await newKey(accountId, { mayRaiseLimits: true })
    const keyId = await newKey(accountId, {})
    await db.apiKey.update({ where: { id: changerId }, data: ended })
    expect(await codeOf(changeKey(db, { accountId, keyId, name: 'late', changerId }))).toBe('invalid_api_key')
    const lower = { accountId, monthlyCapMicroUsd: 1n, requestId: 'req_3', keyId: changerId }
    expect(await codeOf(changeLimits(db, lower))).toBe('invalid_api_key')
    expect(await codeOf(newKey(accountId, { makerId: changerId }))).toBe('invalid_api_key')
    expect(await db.apiKey.count({ where: { accountId } })).toBe(2)
  })

  it('and a session that has ended change nothing', async () => {
    const accountId = await createAccount(db, 'signed-out')
    const keyId = await newKey(accountId, {})
    const sessionId = 'ended'
    const change = { accountId, keyId, name: 'late', changerId: null, sessionId }
    expect(await codeOf(changeKey(db, change))).toBe('sign_in_required')
    const lower = { accountId, monthlyCapMicroUsd: 1n, requestId: 'req_4', sessionId }
    expect(await codeOf(changeLimits(db, lower))).toBe('sign_in_required')
    expect(await codeOf(newKey(accountId, { sessionId }))).toBe('sign_in_required')
    expect(await db.apiKey.count({ where: { accountId } })).toBe(1)
  })

  it('cannot raise its own cap, nor that of another account', async () => {
    const accountId = await createAccount(db, 'own')
    const keyId = await newKey(accountId, { monthlyCapMicroUsd: 10n })
    const change = { accountId, keyId, monthlyCapMicroUsd: null, changerId: keyId }
    expect(await codeOf(changeKey(db, change))).toBe('connector_scope_denied')
    const stranger = await createAccount(db, 'stranger')
    expect(await changeKey(db, { ...change, accountId: stranger })).toBeNull()
  })
})

interface TreeKey {
  readonly maker: number | null
  readonly cap: bigint | null
}

/** Keys in the order of their creation, each made by none or by an earlier one. */
const anyTree = fc
  .array(fc.record({ maker: fc.option(fc.nat({ max: 4 })), cap: fc.option(fc.bigInt({ min: 0n, max: 12n })) }), {
    minLength: 2,
    maxLength: 5,
  })
  .map((keys) =>
    keys.map(
      ({ maker, cap }, index): TreeKey => ({ maker: maker === null || index === 0 ? null : maker % index, cap }),
    ),
  )

const anyWork = fc.array(
  fc.record({
    key: fc.nat({ max: 4 }),
    minutes: fc.integer({ min: 0, max: 6 }),
    end: fc.constantFrom('open', 'fail', 'complete'),
  }),
  { minLength: 4, maxLength: 12 },
)

it('no race of creates, estimates and ends passes the cap of any key, and the sums are those of the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyWork, async (tree, work) => {
      const accountId = await createAccount(db, 'race')
      const ids: string[] = []
      const makers: (readonly number[])[] = []
      for (const { maker, cap } of tree) {
        // Straight into the table, so that children can have caps above their makers'.
        const makerId = maker === null ? undefined : ids[maker]
        const keyId = await newKey(accountId, { makerId })
        await db.apiKey.update({
          where: { id: keyId },
          data: { monthlyCapMicroUsd: cap === null ? null : cap * minute },
        })
        makers.push([ids.length, ...(maker === null ? [] : (makers[maker] ?? []))])
        ids.push(keyId)
      }
      const outcomes = await Promise.all(
        work.map(async ({ key, minutes, end }) => {
          const id = ids[key % ids.length] ?? ''
          return codeOf(
            (async () => {
              const { job } = await accept(accountId, id, minutes === 0 ? null : minutes)
              if (minutes === 0) await holdEstimate(db, job.id, () => 2n * minute)
              if (end === 'fail') await settleJob(db, job.id, { code: 'canceled', message: 'No.' })
              if (end !== 'complete') return
              await draftClip(db, job.id, 60_000)
              await settleJob(db, job.id)
            })(),
          )
        }),
      )
      expect(outcomes.every((code) => code === 'ok' || code === 'spend_cap_reached')).toBe(true)
      for (const [index, { cap }] of tree.entries()) {
        const spent = await spentBy(ids[index] ?? '')
        if (cap !== null) expect(spent).toBeLessThanOrEqual(cap * minute)
      }
      // Refused only where some key above had no room left for it.
      const uncapped = tree.map((_key, index) => (makers[index] ?? []).every((above) => tree[above]?.cap === null))
      for (const [index, { key }] of work.entries()) {
        if (uncapped[key % ids.length]) expect(outcomes[index]).toBe('ok')
      }
      expect(await checkLedger(db)).toEqual([])
    }),
    { numRuns: 15, endOnFailure: true },
  )
}, 120_000)
