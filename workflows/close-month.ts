import {
  ApplicationFailure,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { CloseAccountsResult } from '../activities/close-accounts.ts'
import type { Activities } from '../activities/index.ts'
import { monthBefore } from '../src/core/money.ts'

export interface CloseMonthInput {
  /** `YYYY-MM`; the month before this one when left out. */
  readonly month?: string
  readonly rounds?: number
  /** Between two rounds. */
  readonly pauseSeconds?: number
  /** Where the run before this one stopped: its history had become long. */
  readonly from?: CloseMonthPosition
}

export interface CloseMonthPosition {
  readonly round: number
  /** The last account of the page before. */
  readonly afterId: string
  /** The accounts that have failed in this round. */
  readonly failed: number
}

export interface CloseMonthResult {
  readonly month: string
  readonly rounds: number
}

/** A page that dies with its worker is repeated on another: accounts that have their invoice are not charged again. */
const { closeAccounts } = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes' },
  summary: 'send invoices',
})

/**
 * Sends the invoices of a month, page after page. A round leaves accounts that fail to the next one, an hour later, for a day: an
 * outage of the provider is over by then. It can be repeated at any time.
 */
export async function closeMonth(input: CloseMonthInput = {}): Promise<CloseMonthResult> {
  const { month = monthBefore(new Date()), rounds = 24, pauseSeconds = 3_600 } = input
  let { round, afterId, failed } = input.from ?? { round: 1, afterId: '', failed: 0 }
  for (;;) {
    const page: CloseAccountsResult = await closeAccounts({ month, afterId })
    failed += page.failed
    setCurrentDetails(`${month}, round ${round}: ${failed} accounts failed`)
    if (page.lastId !== null) {
      afterId = page.lastId
    } else {
      if (failed === 0) return { month, rounds: round }
      if (round >= rounds) {
        throw ApplicationFailure.nonRetryable(`No invoice for ${month}: ${failed} accounts`, 'invoices_not_sent')
      }
      await sleep(pauseSeconds * 1000)
      round += 1
      afterId = ''
      failed = 0
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof closeMonth>({ month, rounds, pauseSeconds, from: { round, afterId, failed } })
    }
  }
}
