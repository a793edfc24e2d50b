import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'

export const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  code: z.string().optional().describe('Of the error that the check met.'),
  message: z.string().describe('What was found, or what to do about it.'),
})

export type DiagnosticCheck = z.output<typeof checkSchema>

/** Runs one check; `work` tells what it found, and throws a ServiceError where something must be done. */
export async function check(name: string, work: () => Promise<string>): Promise<DiagnosticCheck> {
  try {
    return { name, ok: true, message: await work() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { name, ok: false, code: error.code, message: error.message }
  }
}

/** One line for each check that met something. */
export function describeChecks(checks: readonly DiagnosticCheck[]): string {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, code, message }) => `- ${name} (${code}): ${message}`)
    .join('\n')
}
