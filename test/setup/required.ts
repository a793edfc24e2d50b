/** A variable that the global set-up has set. */
export function required(variable: string): string {
  const value = process.env[variable]
  if (!value) throw new Error(`${variable} is not set: run the tests with vitest, whose set-up sets it`)
  return value
}
