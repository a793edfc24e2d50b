/** The same bytes at an address that arrays of samples of this size can begin at: a copy unless theirs is one. */
export function alignedTo(bytes: Buffer, bytesPerSample: number): Uint8Array {
  return bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes)
}
