import { createModelPool } from '../../src/models/pool.ts'

/** The models that the set-up fetched, in processes that end with this one. */
export const testPool = createModelPool({ modelsDir: process.env['MODELS_DIR'] || undefined, size: 2 })

export const models = testPool.modelsFor(new AbortController().signal)

/** For the names of tests that need the model. */
export const whySkipped = testPool.installed.size > 0 ? '' : ' (skipped: the models could not be fetched)'
