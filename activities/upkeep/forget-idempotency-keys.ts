import { forgetIdempotencyKeys as forget } from '../../src/store/idempotency.ts'
import type { UpkeepRule } from './index.ts'

/** Deletes Idempotency-Keys a day after their request. */
export const forgetIdempotencyKeys: UpkeepRule = ({ db }) => forget(db)
