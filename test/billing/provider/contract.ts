import { describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import type { BillingProvider } from '../../../src/billing/provider/provider.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import type { Database } from '../../../src/db/database.ts'

export interface ProviderUnderTest {
  readonly name: string
  readonly db: () => Database
  readonly provider: () => BillingProvider
  /** Activates billing on the link's page, as the owner does. Missing if there is no page. */
  readonly activate?: (url: string) => Promise<void>
}

/** The contract of every billing provider. */
export function describeProvider({ name, db, provider, activate }: ProviderUnderTest): void {
  const newAccount = () => createAccount(db(), name)
  const stateOf = (id: string) => db().account.findUniqueOrThrow({ where: { id }, include: { ledger: true } })

  describe(`the billing provider ${name}`, () => {
    it('returns a link, or an error of the table, and changes nothing', async () => {
      const accountId = await newAccount()
      const before = await stateOf(accountId)
      const link = await provider()
        .createLink(accountId)
        .catch((error: unknown) => error)
      if (activate) {
        expect(link).toEqual({ url: expect.any(String), expiresInSeconds: expect.any(Number) })
      } else {
        expect(link).toBeInstanceOf(ServiceError)
        expect(link).toMatchObject({ code: 'endpoint_unavailable', message: expect.stringContaining('billing') })
      }
      expect(await stateOf(accountId)).toEqual(before)
    })

    if (!activate) return

    it("activates the billing of the owner's account once, however often the link is opened", async () => {
      const [accountId, other] = [await newAccount(), await newAccount()]
      const { url } = await provider().createLink(accountId)
      await activate(url)
      const active = await stateOf(accountId)
      expect(active).toMatchObject({ billingStatus: 'active', monthlyCapMicroUsd: 100_000_000n })
      await activate(url)
      expect(await stateOf(accountId)).toEqual(active)
      expect(await stateOf(other)).toMatchObject({ billingStatus: 'inactive', monthlyCapMicroUsd: null })
      expect(await checkLedger(db())).toEqual([])
    })

    it('returns a link for an active account too', async () => {
      const accountId = await newAccount()
      await activate((await provider().createLink(accountId)).url)
      expect(await provider().createLink(accountId)).toMatchObject({ url: expect.any(String) })
    })
  })
}
