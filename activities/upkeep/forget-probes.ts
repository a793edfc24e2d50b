import { forgetProbes as forget } from '../../src/store/probes.ts'
import type { UpkeepRule } from './index.ts'

/** Deletes probes a day after their estimate. */
export const forgetProbes: UpkeepRule = ({ db }) => forget(db)
