import { z } from 'zod'
import { isUsd, maxUsd } from '../../src/core/money.ts'

/** What people call something: one line that can be shown, stored and mailed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u, 'must not contain control characters')

/** Dollars that a caller sends: what `fromUsd` takes. */
export const amountUsd = z.number().min(0).max(maxUsd).refine(isUsd, 'expected dollars with at most six decimals')
