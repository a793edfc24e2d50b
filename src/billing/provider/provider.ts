/** Takes payments for billed amounts. It reports activations and payments to `activate-billing.ts`, `payments.ts` and `invoices`. */
export interface BillingProvider {
  /**
   * A link for the account's owner to activate billing, or to manage it once it is active. Creating it changes nothing.
   * Throws `endpoint_unavailable` if the service takes no money.
   */
  createLink(accountId: string): Promise<BillingLink>
  /** Sends the account's invoice of a UTC month, if it owes enough, and earlier ones that were not sent. Called again, it sends nothing twice. */
  closeAccount?(input: CloseAccountInput): Promise<void>
  /** Takes an event that the provider sent: the bytes of the body, and its signature. Throws `invalid_request` if the signature does not fit. */
  receiveEvent?(body: Buffer, signature: string): Promise<void>
  /** Charges what a deleted account still owes, and deletes what the provider has about its owner. Can be repeated. */
  forgetCustomer?(accountId: string): Promise<void>
}

export interface BillingLink {
  readonly url: string
  readonly expiresInSeconds: number
}

export interface CloseAccountInput {
  readonly accountId: string
  /** `YYYY-MM` */
  readonly month: string
}

/** The path of the page that owners return to from the provider. */
export const returnPath = '/billing/return'
