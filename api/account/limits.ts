import type { z } from 'zod'
import { type AccountLimits, changeLimits, readLimits } from '../../src/billing/limits.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { slotsOf } from '../../src/store/admission.ts'
import { readStoredBytes, storageLimitsOf } from '../../src/store/stored-bytes.ts'
import type { ApiContext } from '../http/context.ts'
import type { limitsRequest, limitsSchema } from './limits-schema.ts'

type LimitsContext = Pick<ApiContext, 'config' | 'db' | 'slotLimits'>
type LimitsBody = z.output<typeof limitsSchema>

interface Caller {
  readonly accountId: string
  /** Undefined for the owner's session. */
  readonly keyId?: string | undefined
  readonly sessionId?: string | undefined
}

/** What an account, and the key of the request, can spend and have spent, as in responses. */
export async function accountLimits(context: LimitsContext, { accountId, keyId }: Caller): Promise<LimitsBody> {
  return presentLimits(context, await readLimits(context.db, accountId, keyId))
}

export interface SetLimitsInput extends Caller {
  readonly requestId: string
  readonly wanted: z.output<typeof limitsRequest>
}

/** Sets cap and alerts. Only owners and keys with the right raise the cap. */
export async function setAccountLimits(context: LimitsContext, input: SetLimitsInput): Promise<LimitsBody> {
  const { accountId, keyId, sessionId, requestId, wanted } = input
  const { monthly_cap_usd: cap, alert_percents: alertPercents } = wanted
  const monthlyCapMicroUsd = cap === null ? null : fromUsd(cap)
  return presentLimits(
    context,
    await changeLimits(context.db, { accountId, keyId, sessionId, monthlyCapMicroUsd, alertPercents, requestId }),
  )
}

async function presentLimits({ config, db, slotLimits }: LimitsContext, limits: AccountLimits): Promise<LimitsBody> {
  const { account, month, captured, held, key } = limits
  const cap = account.monthlyCapMicroUsd
  const { stored, limit } = await readStoredBytes(db, account, storageLimitsOf(config))
  return {
    month,
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    alert_percents: account.alertPercents,
    spent_usd: toUsd(captured),
    held_usd: toUsd(held),
    credits_left_usd: toUsd(account.creditMicroUsd),
    billing: account.billingStatus,
    takes_payments: config.BILLING !== 'inactive',
    concurrency: { running_jobs: slotsOf(account, slotLimits) },
    storage: { stored_bytes: stored, max_bytes: limit },
    rates: { requests_per_minute: config.RATE_LIMIT_PER_ACCOUNT },
    ...(key ? { key: presentKeyLimits(key) } : {}),
  }
}

function presentKeyLimits({
  monthlyCapMicroUsd: cap,
  mayRaiseLimits,
  captured,
  held,
}: NonNullable<AccountLimits['key']>) {
  return {
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    may_raise_limits: mayRaiseLimits,
    spent_usd: toUsd(captured),
    held_usd: toUsd(held),
  }
}
