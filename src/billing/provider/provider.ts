/** Who takes the money for what an account bills. What happens there arrives as activateBilling and recordPayment. */
export interface BillingProvider {
  /**
   * A link for the account's owner: to activate billing, or to manage it once that is done. Making it changes nothing.
   * `endpoint_unavailable` where the service takes no money.
   */
  createLink(accountId: string): Promise<BillingLink>
}

export interface BillingLink {
  readonly url: string
  readonly expiresInSeconds: number
}
