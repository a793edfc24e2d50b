/** In characters. The service has the same in `src/accounts/sign-in-options.ts`, and a test compares them. */
export const passwordLength = { min: 10, max: 128 }
