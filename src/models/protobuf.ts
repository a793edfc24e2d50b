/** A field of a protobuf message. https://protobuf.dev/programming-guides/encoding/ */
export interface ProtobufField {
  readonly number: number
  /** Of a length-delimited field: text, or a message of its own. Empty for numbers. */
  readonly content: Buffer
  /** With its tag, as in the message. */
  readonly bytes: Buffer
}

/** Of 64 bits, 7 in each byte. */
const maxVarintBytes = 10

/** The fields of a message, in order. ONNX files are such messages. Throws RangeError for a message that is cut or damaged. */
export function readFields(message: Buffer): ProtobufField[] {
  const fields: ProtobufField[] = []
  let position = 0
  const readVarint = () => {
    let value = 0
    for (let bytes = 0; bytes < maxVarintBytes; bytes += 1) {
      const byte = message.readUInt8(position++)
      value += (byte & 127) * 128 ** bytes
      if (byte < 128) return value
    }
    throw new RangeError('a number of too many bytes')
  }
  while (position < message.length) {
    const start = position
    const tag = readVarint()
    const wireType = tag % 8
    let contentStart = position
    if (wireType === 0) readVarint()
    else if (wireType === 1) position += 8
    else if (wireType === 5) position += 4
    else {
      const length = readVarint()
      contentStart = position
      position += length
    }
    if (position > message.length) throw new RangeError('a field that is cut')
    const content = wireType === 2 ? message.subarray(contentStart, position) : Buffer.alloc(0)
    fields.push({ number: Math.floor(tag / 8), content, bytes: message.subarray(start, position) })
  }
  return fields
}

/** A length-delimited field with its tag. */
export function writeField(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([writeVarint(number * 8 + 2), writeVarint(bytes.length), bytes])
}

export function writeVarint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

/** The texts of the fields with this number. */
export function textsOf(fields: readonly ProtobufField[], number: number): string[] {
  return fields.filter((field) => field.number === number).map(({ content }) => content.toString())
}
