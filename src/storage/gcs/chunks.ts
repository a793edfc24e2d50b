export interface Chunk {
  readonly bytes: Buffer<ArrayBuffer>
  /** Offset of the chunk in the source. */
  readonly start: number
  readonly isLast: boolean
}

/** The source in chunks of `size` bytes. The last chunk can be shorter; it is empty only for an empty source. */
export async function* chunksOf(source: AsyncIterable<Uint8Array | string>, size: number): AsyncGenerator<Chunk> {
  let held: Buffer[] = []
  let heldBytes = 0
  let start = 0
  for await (const piece of source) {
    const data = Buffer.from(piece)
    held.push(data)
    heldBytes += data.length
    // With more than a chunk held, the chunk yielded here is never the last.
    if (heldBytes <= size) continue
    let bytes = Buffer.concat(held)
    for (; bytes.length > size; bytes = bytes.subarray(size)) {
      yield { bytes: bytes.subarray(0, size), start, isLast: false }
      start += size
    }
    held = [bytes]
    heldBytes = bytes.length
  }
  yield { bytes: Buffer.concat(held), start, isLast: true }
}
