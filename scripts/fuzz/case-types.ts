import { z } from 'zod'
import { manners } from '../hostile/media-host.ts'
import { mutation } from '../hostile/mutate.ts'

/** A mutated file, and the job or estimate that reads it. */
const mediaCase = z.object({
  kind: z.literal('media'),
  base: z.string(),
  mutations: z.array(mutation),
  door: z.enum(['upload', 'url', 'estimate']),
  manner: z.enum(manners),
  job: z.record(z.string(), z.unknown()),
  isCanceled: z.boolean(),
})

/** A request as it is sent. Names in braces, such as {film}, stand for what the run has. */
const requestCase = z.object({
  kind: z.literal('request'),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
})

/** A signed URL of ours with changes. */
const signedUrlCase = z.object({
  kind: z.literal('signed url'),
  method: z.enum(['GET', 'PUT', 'HEAD']),
  edits: z.array(
    z.object({ op: z.enum(['set', 'append', 'delete', 'path', 'character']), name: z.string(), value: z.string() }),
  ),
})

export const fuzzCase = z.discriminatedUnion('kind', [mediaCase, requestCase, signedUrlCase])
export type FuzzCase = z.output<typeof fuzzCase>
export type MediaCase = z.output<typeof mediaCase>
export type RequestCase = z.output<typeof requestCase>
export type SignedUrlCase = z.output<typeof signedUrlCase>
