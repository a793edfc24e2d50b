/** The tokens of a `tokenizer.bin`: for each, its length in one byte, or in two from 128 on, and its bytes. Throws RangeError for a file that is cut. */
export function readTokens(file: Buffer): Buffer[] {
  const tokens: Buffer[] = []
  for (let position = 0; position < file.length; ) {
    const first = file.readUInt8(position++)
    const length = first < 128 ? first : first - 128 + 128 * file.readUInt8(position++)
    tokens.push(file.subarray(position, position + length))
    position += length
    if (position > file.length) throw new RangeError('a token that is cut')
  }
  return tokens
}

/** What a token adds to the text: bytes of UTF-8, nothing for a token that controls the decoder. U+2581 stands for a space. */
export function tokenBytes(token: Buffer): Buffer {
  const text = token.toString()
  const [, hex] = /^<0x([0-9A-F]{2})>$/.exec(text) ?? []
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  return /^<.*>$/.test(text) ? Buffer.alloc(0) : Buffer.from(text.replaceAll('\u2581', ' '))
}
