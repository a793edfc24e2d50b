import { z } from 'zod'
import { assertCanHold, provisionalHoldMicroUsd } from '../../../src/billing/holds.ts'
import { readLimits } from '../../../src/billing/limits.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { coversEndpoint } from '../../../src/core/scopes.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import { defineTool, inTools, type KeyCall, lookUp } from '../define-tool.ts'

export const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  code: z.string().optional().describe('The error code of a failed check.'),
  message: z.string().describe('The finding, or what to do about it.'),
})

type DiagnosticCheck = z.output<typeof checkSchema>

/** Runs one check. `work` returns its finding, or throws a ServiceError that says what to do, in words that `say` makes those of tools. */
export async function check(name: string, work: () => Promise<string>, say = inTools): Promise<DiagnosticCheck> {
  try {
    return { name, ok: true, message: await work() }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { name, ok: false, code: error.code, message: say(error.message) }
  }
}

/** One line for each failed check. */
export function describeChecks(checks: readonly DiagnosticCheck[]): string {
  return checks
    .filter(({ ok }) => !ok)
    .map(({ name, code, message }) => `- ${name} (${code}): ${message}`)
    .join('\n')
}

/** Tests everything that a job needs, in parallel. */
async function diagnose(call: KeyCall): Promise<DiagnosticCheck[]> {
  const { context, credential } = call
  const { storage, jobs } = await context.checkHealth()
  const working = (ok: boolean, found: string, advice: string) => async () => {
    if (!ok) throw new ServiceError('service_unavailable', advice)
    return found
  }
  const later =
    'Jobs are still accepted, and run when it is back. If the problem persists, tell the operator of the service.'
  return Promise.all([
    check('credential', async () => `${credential.keyId} is valid.`),
    check('scope', async () => describeScope(call)),
    check('credits', () => checkCredits(call)),
    check('spend_cap', () => checkCap(call)),
    check('storage', working(storage.ok, 'It stores and serves files.', `Storage does not answer. ${later}`)),
    check('database', working(jobs.database.ok, 'It answers.', `The database is slow or does not answer. ${later}`)),
    check(
      'temporal',
      working(jobs.temporal.ok, 'It answers.', `Temporal, which runs the jobs, does not answer. ${later}`),
    ),
    check('workers', working(jobs.workers.ok, pollingText(jobs.workers.count), `No worker polls for jobs. ${later}`)),
    check('signed_url', () => testSignedUrl(call)),
  ])
}

const pollingText = (workers: number) =>
  workers === 1 ? 'One worker polls for jobs.' : `${workers} workers poll for jobs.`

function describeScope({ credential: { scope } }: KeyCall): string {
  const covered = endpoints.map(({ id }) => id).filter((id) => coversEndpoint(scope, id))
  if (covered.length > 0) return `${scope} covers ${covered.join(', ')}.`
  throw new ServiceError(
    'connector_scope_denied',
    `${scope} covers no live endpoint. Use a credential with another scope.`,
  )
}

async function checkCredits({ context, credential }: KeyCall): Promise<string> {
  const { account } = await readLimits(context.db, credential.accountId)
  if (account.billingStatus === 'active') return 'Billing is active.'
  if (account.creditMicroUsd >= provisionalHoldMicroUsd) return 'The account has free credits.'
  throw new ServiceError('billing_required', 'The free credits are used. Call svc.create_billing_link for the owner.')
}

async function checkCap({ context, credential }: KeyCall): Promise<string> {
  try {
    await assertCanHold(context.db, credential, provisionalHoldMicroUsd)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'spend_cap_reached') throw error
  }
  return 'The monthly cap allows another job.'
}

async function testSignedUrl({ context }: KeyCall): Promise<string> {
  try {
    await context.checkSignedUrl()
    return 'A file was stored and read at its URL.'
  } catch (cause) {
    const advice =
      'A stored file could not be read at its URL. Tell the operator of the service that BASE_URL may not lead to it.'
    throw new ServiceError('service_unavailable', advice, { cause })
  }
}

export const runAgentDiagnosticsTool = defineTool({
  name: 'run_agent_diagnostics',
  title: 'Find out what does not work',
  description:
    'Tests everything that a job needs: the credential and its scope, credits and cap, storage, workers, a signed URL. Returns how to fix each failed check. Use it when a job is refused or makes no progress. Spends nothing.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({}),
  example: {},
  output: z.object({ ok: z.boolean(), checks: z.array(checkSchema) }),
  run: async (_input, call) => {
    const checks = (await diagnose(call)).map((one) => ({ ...one, message: call.named(one.message) }))
    const ok = checks.every((one) => one.ok)
    const text = ok
      ? 'Everything works. Next: svc.check_job_readiness for a job.'
      : `Failing:\n${describeChecks(checks)}`
    return { structured: { ok, checks }, text }
  },
})
