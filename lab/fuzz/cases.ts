import fc from 'fast-check'
import { z } from 'zod'
import { manners } from '../hostile/media-host.ts'
import { type Mutation, mutation } from '../hostile/mutate.ts'
import { baseNames, honestNames } from './base-media.ts'
import { requestCases, signedUrlCases, toolCases } from './request-cases.ts'

/** The cases of a seed: case `number` is the same in every run with the same OpenAPI document. */
export function casesOf(root: string, seed: number): (number: number) => FuzzCase {
  const all: fc.Arbitrary<FuzzCase> = fc.oneof(
    { weight: 10, arbitrary: mediaCases },
    { weight: 6, arbitrary: requestCases(root) },
    { weight: 4, arbitrary: toolCases },
    { weight: 2, arbitrary: signedUrlCases },
  )
  return (number) => {
    const [found] = fc.sample(all, { seed: seed * 1_000_003 + number, numRuns: 1 })
    if (!found) throw new RangeError('fast-check made no case')
    return found
  }
}

/** Values at which code that reads sizes, counts and times goes wrong. */
const edges = [0, 1, 2, 7, 8, 15, 16, 127, 128, 255, 256, 65_535, 65_536, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]
const word = fc.oneof(fc.constantFrom(...edges), fc.nat(), fc.nat(10_000))
const bytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 16 }).map((values) => Buffer.from(values).toString('hex')),
  word.map((value) => value.toString(16).padStart(8, '0')),
)
const at = fc.double({ min: 0, max: 1, noNaN: true })
const length = fc.oneof(fc.nat(64), fc.nat(20_000))

export const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ op: fc.constant('write' as const), at, bytes }),
  fc.record({ op: fc.constant('insert' as const), at, bytes }),
  fc.record({ op: fc.constant('delete' as const), at, length }),
  fc.record({
    op: fc.constant('repeat' as const),
    at,
    length: length.map((n) => n + 1),
    times: fc.integer({ min: 1, max: 2_000 }),
  }),
  fc.record({ op: fc.constant('truncate' as const), at }),
  fc.record({
    op: fc.constant('element size' as const),
    element: at,
    size: fc.oneof(word.map(String), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)),
  }),
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('element field' as const), element: at, field: fc.nat(24), value: word }),
  },
  fc.record({ op: fc.constant('element copies' as const), element: at, times: fc.integer({ min: 1, max: 5_000 }) }),
  fc.record({ op: fc.constant('element removed' as const), element: at }),
  fc.record({ op: fc.constant('elements swapped' as const), element: at, other: at }),
)

const time = fc.oneof(
  fc.constantFrom(0, 0.5, 1, 1.9, 2, '0:01', '00:00:01.5', ''),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.constantFrom(1e9, 359_999, -1, 'later', null),
)
const settings = fc.oneof(
  fc.constant({}),
  fc.constantFrom(
    { threshold: -20 },
    { min_silence_seconds: 0.05, audio_track: 1 },
    { window_seconds: 0.01 },
    { format: 'webm' },
    { format: 'wav', audio_only: true },
    {
      ranges: [
        { start: 0, end: 0.5 },
        { start: 1, end: 1.5 },
      ],
      join: true,
    },
    { ranges: [{ start: 0.5, end: 1 }], ranges_mode: 'remove', join: true },
    { moments: [0.5, 1, '0:01.5'], before_seconds: 0.2, after_seconds: 0.2, snap: 'keyframe' },
    { snap: 'silence', quality: 'fast', audio_fade_ms: 20 },
  ),
)
const job = fc.record(
  {
    endpoint: fc.constantFrom('audio/detect-silence', 'audio/detect-energy', 'video/clip-window', 'video/clip-near'),
    start: time,
    end: time,
    settings,
  },
  { requiredKeys: ['endpoint'] },
)

/** Media with a few changes, and a job that reads it. */
const mediaCases: fc.Arbitrary<MediaCase> = fc.record({
  kind: fc.constant('media' as const),
  base: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...honestNames) }, fc.constantFrom(...baseNames)),
  // With many changes, most files are refused by their first bytes.
  mutations: fc.oneof(
    { weight: 4, arbitrary: fc.array(anyMutation, { minLength: 1, maxLength: 2 }) },
    fc.array(anyMutation, { maxLength: 6 }),
  ),
  door: fc.oneof({ weight: 6, arbitrary: fc.constant('upload' as const) }, fc.constantFrom('url', 'estimate')),
  manner: fc.oneof({ weight: 5, arbitrary: fc.constant('ranges' as const) }, fc.constantFrom(...manners)),
  job: fc.oneof(
    // Most times fit the media, so that most jobs reach the tools.
    {
      weight: 3,
      arbitrary: job.map(({ endpoint, settings: given }) => ({
        endpoint,
        start: 0.2,
        end: 1.7,
        ...(given && { settings: given }),
      })),
    },
    job,
  ),
  isCanceled: fc.nat(19).map((n) => n === 0),
})

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
