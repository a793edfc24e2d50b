import { createCounts } from '../../src/core/counts.ts'
import { ServiceError } from '../../src/core/errors.ts'

/** Requests of one kind that take much of the process or its database: a few at a time, and of one account fewer. */
export interface Shares {
  /** Takes a share, and returns what gives it back. Throws `rate_limited` if none is left. */
  take(accountId: string): () => void
}

export interface SharesLimits {
  /** What the requests are called, in the plural. */
  readonly name: string
  readonly perAccount: number
  readonly perProcess: number
}

export function createShares({ name, perAccount, perProcess }: SharesLimits): Shares {
  const taken = createCounts()
  let all = 0
  return {
    take: (accountId) => {
      const own = taken.of(accountId)
      if (own >= perAccount || all >= perProcess) {
        const whose = own >= perAccount ? `${perAccount} ${name} of this account` : `Too many ${name}`
        throw new ServiceError(
          'rate_limited',
          `${whose} are in progress. Send this again when some of them have ended.`,
          { retryAfterSeconds: 1 },
        )
      }
      taken.add(accountId)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        taken.remove(accountId)
      }
    },
  }
}
