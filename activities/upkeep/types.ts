import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'

/** One pass of a rule. */
export interface UpkeepPass {
  readonly logger: Logger
  /** Aborts when the pass has run out of time or the worker stops. */
  readonly signal: AbortSignal
}

/** Repairs or deletes one kind of rows and objects, and returns their number. The next pass does the rest. */
export type UpkeepRule = (deps: Dependencies, run: UpkeepPass) => Promise<number>
