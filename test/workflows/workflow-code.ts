import { fileURLToPath } from 'node:url'

/** The workflows as a worker runs them. */
export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

/** What a worker puts around them. */
export const workflowModules = [fileURLToPath(new URL('../../workflows/trace-context.ts', import.meta.url))]
