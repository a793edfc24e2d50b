/** Takes payments for billed amounts. It reports activations and payments by activateBilling and recordPayment. */
export interface BillingProvider {
  /**
   * A link for the account's owner to activate billing, or to manage it once it is active. Creating it changes nothing.
   * Throws `endpoint_unavailable` if the service takes no money.
   */
  createLink(accountId: string): Promise<BillingLink>
}

export interface BillingLink {
  readonly url: string
  readonly expiresInSeconds: number
}
