import { z } from 'zod'
import { modelNames } from './models.ts'

// What the pool and its processes send each other. Typed arrays stay typed arrays.

export const modelCall = z.object({ model: z.enum(modelNames), folder: z.string(), input: z.unknown() })
export type ModelCall = z.output<typeof modelCall>

/** `error` has the stack, for the log. */
export const modelAnswer = z.object({ output: z.unknown(), error: z.string().optional() })
export type ModelAnswer = z.output<typeof modelAnswer>
