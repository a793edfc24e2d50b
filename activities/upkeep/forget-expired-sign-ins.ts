import { forgetExpired } from '../../src/accounts/sessions.ts'
import type { UpkeepRule } from './index.ts'

/** Deletes sessions and mailed proofs whose time is over. */
export const forgetExpiredSignIns: UpkeepRule = ({ db }) => forgetExpired(db, new Date())
