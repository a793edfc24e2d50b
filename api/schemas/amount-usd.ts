import { z } from 'zod'
import { isUsd, mostUsd } from '../../src/core/money.ts'

/** Dollars that a caller sends: what `fromUsd` takes. */
export const amountUsd = z.number().min(0).max(mostUsd).refine(isUsd, 'expected dollars with at most six decimals')
