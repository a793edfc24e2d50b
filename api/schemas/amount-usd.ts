import { z } from 'zod'
import { isUsd, maxUsd } from '../../src/core/money.ts'

/** Dollars that a caller sends: what `fromUsd` takes. */
export const amountUsd = z.number().min(0).max(maxUsd).refine(isUsd, 'expected dollars with at most six decimals')
