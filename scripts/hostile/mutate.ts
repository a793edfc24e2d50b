import { z } from 'zod'
import { elementsOf, type MediaElement, writeSize } from './elements.ts'

const share = z.number().min(0).max(1)
const hex = z.string().regex(/^([0-9a-f]{2})*$/)

/** One change of a file. Places and elements are shares of what the file has, so that each fits every file. */
export const mutation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('write'), at: share, bytes: hex }),
  z.object({ op: z.literal('insert'), at: share, bytes: hex }),
  z.object({ op: z.literal('delete'), at: share, length: z.int().min(0) }),
  z.object({ op: z.literal('repeat'), at: share, length: z.int().min(1), times: z.int().min(1) }),
  z.object({ op: z.literal('truncate'), at: share }),
  z.object({ op: z.literal('element size'), element: share, size: z.string().regex(/^\d+$/) }),
  /** A 32-bit field of the element's content, such as a count, an offset or a duration. */
  z.object({ op: z.literal('element field'), element: share, field: z.int().min(0), value: z.int().min(0) }),
  z.object({ op: z.literal('element copies'), element: share, times: z.int().min(1) }),
  z.object({ op: z.literal('element removed'), element: share }),
  z.object({ op: z.literal('elements swapped'), element: share, other: share }),
])

export type Mutation = z.output<typeof mutation>

/** No mutation makes a file larger: what the service does with large files is another test. */
const maxBytes = 2 * 1024 ** 2

/** The file after the changes, one after the other. */
export function mutate(original: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((bytes, change) => apply(Buffer.from(bytes), change).subarray(0, maxBytes), original)
}

function apply(bytes: Buffer, change: Mutation): Buffer {
  if ('element' in change) return changeElement(bytes, change)
  const at = Math.floor(change.at * bytes.length)
  const splice = (remove: number, ...added: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, at), ...added, bytes.subarray(at + remove)])
  switch (change.op) {
    case 'write': {
      const added = Buffer.from(change.bytes, 'hex')
      return splice(added.length, added)
    }
    case 'insert':
      return splice(0, Buffer.from(change.bytes, 'hex'))
    case 'delete':
      return splice(change.length)
    case 'repeat':
      return splice(0, repeated(bytes.subarray(at, at + change.length), change.times))
    case 'truncate':
      return bytes.subarray(0, at)
  }
}

type ElementMutation = Extract<Mutation, { readonly element: number }>

function changeElement(bytes: Buffer, change: ElementMutation): Buffer {
  const elements = elementsOf(bytes)
  const chosen = chooseElement(elements, change.element)
  if (!chosen) return bytes
  const whole = bytes.subarray(chosen.start, chosen.end)
  const replaced = (...added: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, chosen.start), ...added, bytes.subarray(chosen.end)])
  switch (change.op) {
    case 'element size':
      writeSize(bytes, chosen, BigInt(change.size))
      return bytes
    case 'element field': {
      const at = chosen.contentStart + 4 * change.field
      if (at + 4 <= chosen.end) bytes.writeUInt32BE(change.value % 2 ** 32, at)
      return bytes
    }
    case 'element copies':
      return replaced(whole, repeated(whole, change.times))
    case 'element removed':
      return replaced()
    case 'elements swapped': {
      const other = chooseElement(elements, change.other) ?? chosen
      const [first, second] = chosen.start <= other.start ? [chosen, other] : [other, chosen]
      if (first.end > second.start) return bytes
      return Buffer.concat([
        bytes.subarray(0, first.start),
        bytes.subarray(second.start, second.end),
        bytes.subarray(first.end, second.start),
        bytes.subarray(first.start, first.end),
        bytes.subarray(second.end),
      ])
    }
  }
}

function chooseElement(elements: readonly MediaElement[], at: number): MediaElement | undefined {
  return elements[Math.min(Math.floor(at * elements.length), elements.length - 1)]
}

function repeated(bytes: Buffer, times: number): Buffer {
  const most = Math.max(1, Math.floor(maxBytes / Math.max(1, bytes.length)))
  return Buffer.concat(Array.from({ length: Math.min(times, most) }, () => bytes))
}
