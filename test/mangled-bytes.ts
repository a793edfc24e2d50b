import fc from 'fast-check'
import { expect } from 'vitest'
import { anyMutation } from '../lab/fuzz/cases.ts'
import { type Mutation, mutate } from '../lab/hostile/mutate.ts'

/** Inputs that a property tries, as docs/security.md says; of files on the disk a tenth. */
export const inputsTried = 1_000

/** Or as many as the longest sample has. */
const maxBytes = 16 * 1024
/** Of processor time. An input takes a millisecond. With more, work grows faster than its bytes. */
const maxMilliseconds = 2_000

/** Samples that are changed, cut, doubled or interleaved with each other, and noise. */
function mangled(samples: readonly Uint8Array[]): fc.Arbitrary<Buffer> {
  const sample = fc.constantFrom(...samples).map((bytes) => Buffer.from(bytes))
  const changed = fc
    .tuple(sample, fc.array(anyMutation, { maxLength: 4 }))
    .map(([bytes, mutations]) => mutate(bytes, mutations.map(lessRepeated)))
  const interleaved = fc
    .tuple(changed, changed, fc.integer({ min: 1, max: 5_000 }))
    .map(([one, other, stripe]) =>
      Buffer.concat(
        Array.from({ length: Math.ceil(Math.max(one.length, other.length) / stripe) }, (_, at) => [
          one.subarray(at * stripe, (at + 1) * stripe),
          other.subarray(at * stripe, (at + 1) * stripe),
        ]).flat(),
      ),
    )
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  return fc
    .oneof(
      { weight: 6, arbitrary: changed },
      { weight: 1, arbitrary: sample.map((bytes) => Buffer.concat([bytes, bytes])) },
      { weight: 2, arbitrary: interleaved },
      { weight: 1, arbitrary: noise },
    )
    .map((bytes) => bytes.subarray(0, Math.max(maxBytes, ...samples.map(({ length }) => length))))
}

/** What is longer is cut anyway. */
function lessRepeated(mutation: Mutation): Mutation {
  return 'times' in mutation ? { ...mutation, times: Math.min(mutation.times, 50) } : mutation
}

/** Lengths of chunks, which `chunksOf` takes in turn. */
export const chunkLengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20_000 })), {
  minLength: 1,
  maxLength: 20,
})

/** The bytes in chunks. Each is in the same memory, which the next one overwrites. */
export function* chunksOf(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  const memory = Buffer.alloc(Math.max(...lengths))
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = bytes.copy(memory, 0, at, at + (lengths[turn % lengths.length] ?? 1))
    const chunk = memory.subarray(0, length)
    yield chunk
    chunk.fill(0xff)
    at += length
  }
}

interface Mangling {
  /** What the real writer wrote. */
  readonly samples: readonly Uint8Array[]
  /** Reads the chunks, or the bytes as a whole. If it returns a number of things that it read, it is at most one a byte. */
  readonly parse: (chunks: Iterable<Buffer>, whole: Buffer) => unknown
  /** Whether the parser says that it throws such errors. */
  readonly isDeclared: (error: unknown) => boolean
  readonly inputs?: number
}

/** Passes mangled samples to a parser. Each ends soon, and either is read or throws a declared error. */
export async function survivesMangling({ samples, parse, isDeclared, inputs = inputsTried }: Mangling): Promise<void> {
  let [read, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(mangled(samples), chunkLengths, async (bytes, lengths) => {
      const before = process.cpuUsage()
      try {
        const found = await parse(chunksOf(bytes, lengths), bytes)
        if (typeof found === 'number') expect(found).toBeLessThanOrEqual(bytes.length)
        read += 1
      } catch (error) {
        if (!isDeclared(error)) throw error
        refused += 1
      }
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(maxMilliseconds)
    }),
    { numRuns: inputs },
  )
  // Otherwise the manglings, or the samples, are no test of this parser.
  expect(read).toBeGreaterThan(0)
  expect(read + refused).toBe(inputs)
}

/** How many bytes a parser takes of a beginning that never ends before it refuses them. */
export function bytesTaken(parse: (chunk: Buffer) => unknown, beginning: Uint8Array, filling: string): number {
  const chunk = Buffer.alloc(1_000, filling)
  parse(Buffer.from(beginning))
  for (let taken = 0; taken < 64 * 2 ** 20; taken += chunk.length) {
    try {
      parse(chunk)
    } catch {
      return taken
    }
  }
  return Number.POSITIVE_INFINITY
}

/** For processing that fails for good, so that no further attempt reads the same. */
export function isPermanent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'processing_failed' &&
    'retryable' in error &&
    !error.retryable
  )
}
