/** Bytes that can be read from any place on: a server's file, or an object. */
export interface RangedBytes {
  readonly bytes: number
  /** To the end. Who stops reading, or aborts, ends the transfer. */
  read(start: number, signal: AbortSignal): AsyncIterable<Buffer>
  /** How many bytes have arrived so far. */
  fetchedBytes(): number
  /** Ends what waits for the next reader. */
  close(): void
}
