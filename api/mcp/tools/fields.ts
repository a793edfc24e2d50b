import { z } from 'zod'

/** The key that makes a call safe to repeat. */
export const retryKey = z.string().min(1).max(255).optional().describe('Makes a retry safe for 24 hours.')
