import { z } from 'zod'

/** What people call something: one line that can be shown, stored and mailed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u, 'must have no control characters')
