import { fileURLToPath } from 'node:url'

/** The workflows as a worker runs them. */
export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

/** The interceptors of a worker. */
export const workflowModules = [fileURLToPath(new URL('../../workflows/trace-context.ts', import.meta.url))]
