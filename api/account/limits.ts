import type { z } from 'zod'
import { type AccountLimits, changeLimits, readLimits } from '../../src/billing/limits.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { slotLimitsOf, slotsOf } from '../../src/store/admission.ts'
import type { ApiContext } from '../http/context.ts'
import type { limitsRequest, limitsSchema } from './limits-schema.ts'

type LimitsContext = Pick<ApiContext, 'config' | 'db'>
type LimitsBody = z.output<typeof limitsSchema>

/** What an account can spend and has spent, as in responses. */
export async function accountLimits(context: LimitsContext, accountId: string): Promise<LimitsBody> {
  return presentLimits(context, await readLimits(context.db, accountId))
}

export interface SetLimitsInput {
  readonly accountId: string
  readonly requestId: string
  readonly wanted: z.output<typeof limitsRequest>
}

/** Sets cap and alerts. */
export async function setAccountLimits(context: LimitsContext, input: SetLimitsInput): Promise<LimitsBody> {
  const { accountId, requestId, wanted } = input
  const { monthly_cap_usd: cap, alert_percents: alertPercents } = wanted
  const monthlyCapMicroUsd = cap === null ? null : fromUsd(cap)
  return presentLimits(
    context,
    await changeLimits(context.db, { accountId, monthlyCapMicroUsd, alertPercents, requestId }),
  )
}

function presentLimits({ config }: LimitsContext, limits: AccountLimits): LimitsBody {
  const { account, month, captured, held } = limits
  const cap = account.monthlyCapMicroUsd
  return {
    month,
    monthly_cap_usd: cap === null ? null : toUsd(cap),
    alert_percents: account.alertPercents,
    spent_usd: toUsd(captured),
    held_usd: toUsd(held),
    credits_left_usd: toUsd(account.creditMicroUsd),
    billing: account.billingStatus,
    concurrency: { running_jobs: slotsOf(account, slotLimitsOf(config)) },
    rates: { requests_per_minute: config.RATE_LIMIT_PER_ACCOUNT },
  }
}
