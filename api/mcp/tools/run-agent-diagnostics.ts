import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { defineTool, lookUp } from '../define-tool.ts'
import { checkSchema, describeChecks, diagnose } from '../diagnose.ts'

export const runAgentDiagnosticsTool = defineTool({
  name: 'run_agent_diagnostics',
  title: 'Find out what does not work',
  description:
    'Tests everything that a job needs: the credential and its scope, credits and cap, storage, workers, a signed URL. Returns how to fix each failed check. Use it when a job is refused or makes no progress. Spends nothing.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({}),
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
