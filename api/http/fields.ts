import { z } from 'zod'
import { isUsd, maxUsd } from '../../src/core/money.ts'

/** A name that a person chooses: one line that can be shown, stored and mailed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u, 'must not contain control characters')

/** A caller's amount in dollars, valid for `fromUsd`. */
export const amountUsd = z.number().min(0).max(maxUsd).refine(isUsd, 'expected dollars with at most six decimals')
