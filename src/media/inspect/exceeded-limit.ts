import { ServiceError } from '../../core/errors.ts'

/** Thrown when media would take more work than a job may do, however its clips are made. */
export class ExceededLimit extends ServiceError {
  constructor(message: string) {
    super('processing_failed', message)
  }
}
