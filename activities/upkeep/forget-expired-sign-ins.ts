import { forgetExpired } from '../../src/accounts/sessions.ts'
import type { UpkeepRule } from './index.ts'

/** Deletes sessions, mailed proofs and counts of tries whose time is over. */
export const forgetExpiredSignIns: UpkeepRule = ({ db }) => forgetExpired(db, new Date())
