/** The path of the page that owners return to from the provider. */
export const returnPath = '/billing/return'
