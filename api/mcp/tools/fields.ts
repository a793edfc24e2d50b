import { z } from 'zod'
import { chains } from '../../../src/chains/chains.ts'

// Arguments that several tools take.

export const jobIdArgument = z.string().max(100).describe('An id such as job_…, from svc.create_job or svc.list_jobs.')

export const workflowIdArgument = z.enum(chains.map(({ id }) => id)).describe('An id from svc.list_workflows.')

/** The key that makes a call safe to repeat. */
export const retryKey = z.string().min(1).max(255).optional().describe('Makes a retry safe for 24 hours.')
