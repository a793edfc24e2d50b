import type { FloatTensor } from './embed/convert-minilm.ts'

// Numbers of fields and types in onnx.proto. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
export const model = { irVersion: 1, producer: 2, graph: 7, operators: 8, metadata: 14 }
const operatorSet = { domain: 1, version: 2 }
export const graph = { node: 1, name: 2, initializer: 5, input: 11, output: 12 }
export const node = { input: 1, output: 2, operator: 4, attribute: 5 }
export const attribute = { name: 1, float: 2, integer: 3, graph: 6, integers: 8, type: 20 }
const attributeTypes = { float: 1, integer: 2, integers: 7 }
export const tensor = { dimensions: 1, elements: 2, name: 8, raw: 9, external: 13, location: 14 }
const entry = { key: 1, value: 2 }
const valueInfo = { name: 1, type: 2 }
const valueType = { tensor: 1 }
const elementTypes = { float: 1, int64: 7 }

type ElementType = keyof typeof elementTypes

type Attribute = number | { readonly float: number } | readonly number[]

/** A name for a dimension whose length differs between calls, or a length. */
type Dimension = string | number

interface OnnxGraph {
  /** Adds the floats, and returns their name. */
  floats(name: string, values: FloatTensor): string
  /** Adds a list of integers, and returns its name. */
  integers(name: string, values: readonly number[]): string
  /** Adds an operation on named values, and returns the name of what it computes. */
  apply(
    operator: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
    output?: string,
  ): string
  input(name: string, type: ElementType, shape: readonly Dimension[]): string
  output(name: string, type: ElementType, shape: readonly Dimension[]): void
  /** The model as a file. The same calls give the same bytes. */
  write(): Buffer
}

/** The version of ONNX's operators, which has all that a transformer needs, and the version of the format that belongs to it. */
const operatorVersion = 20
const irVersion = 9

export function createOnnxGraph(name: string): OnnxGraph {
  const parts: Buffer[] = []
  let computed = 0

  const addTensor = (tensorName: string, shape: readonly number[], type: ElementType, bytes: Buffer) => {
    const content = [
      ...shape.map((length) => writeInteger(tensor.dimensions, length)),
      writeInteger(tensor.elements, elementTypes[type]),
      writeField(tensor.name, tensorName),
      writeField(tensor.raw, bytes),
    ]
    parts.push(writeField(graph.initializer, Buffer.concat(content)))
    return tensorName
  }

  return {
    floats: (tensorName, { shape, bytes }) => addTensor(tensorName, shape, 'float', bytes),
    integers: (tensorName, values) => {
      const bytes = Buffer.from(BigInt64Array.from(values, BigInt).buffer)
      return addTensor(tensorName, [values.length], 'int64', bytes)
    },
    apply: (operator, inputs, attributes = {}, output = `value${computed++}`) => {
      const content = [
        ...inputs.map((input) => writeField(node.input, input)),
        writeField(node.output, output),
        writeField(node.operator, operator),
        ...Object.entries(attributes).map((entry) => writeField(node.attribute, attributeContent(...entry))),
      ]
      parts.push(writeField(graph.node, Buffer.concat(content)))
      return output
    },
    input: (inputName, type, shape) => {
      parts.push(writeField(graph.input, describeValue(inputName, type, shape)))
      return inputName
    },
    output: (outputName, type, shape) => {
      parts.push(writeField(graph.output, describeValue(outputName, type, shape)))
    },
    write: () => {
      const operators = [writeField(operatorSet.domain, ''), writeInteger(operatorSet.version, operatorVersion)]
      return Buffer.concat([
        writeInteger(model.irVersion, irVersion),
        writeField(model.producer, 'media-timeline'),
        writeField(model.graph, Buffer.concat([writeField(graph.name, name), ...parts])),
        writeField(model.operators, Buffer.concat(operators)),
      ])
    },
  }
}

function writeInteger(field: number, value: number): Buffer {
  return Buffer.concat([writeVarint(field * 8), writeVarint(value)])
}

function writeFloat(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([writeVarint(field * 8 + 5), bytes])
}

function attributeContent(name: string, value: Attribute): Buffer {
  const named = writeField(attribute.name, name)
  if (typeof value === 'number') {
    const type = writeInteger(attribute.type, attributeTypes.integer)
    return Buffer.concat([named, writeInteger(attribute.integer, value), type])
  }
  if ('float' in value) {
    const type = writeInteger(attribute.type, attributeTypes.float)
    return Buffer.concat([named, writeFloat(attribute.float, value.float), type])
  }
  const type = writeInteger(attribute.type, attributeTypes.integers)
  return Buffer.concat([named, ...value.map((each) => writeInteger(attribute.integers, each)), type])
}

/** A named value of a graph. Without a shape, any. */
export function describeValue(name: string, type: ElementType, shape?: readonly Dimension[]): Buffer {
  const dimensions = shape?.map((each) =>
    writeField(1, typeof each === 'string' ? writeField(2, each) : writeInteger(1, each)),
  )
  const described = [writeInteger(1, elementTypes[type])]
  if (dimensions) described.push(writeField(2, Buffer.concat(dimensions)))
  const ofTensor = writeField(valueType.tensor, Buffer.concat(described))
  return Buffer.concat([writeField(valueInfo.name, name), writeField(valueInfo.type, ofTensor)])
}

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

/** The contents of the fields with this number. */
export function fieldContents(fields: readonly ProtobufField[], number: number): Buffer[] {
  return fields.filter((field) => field.number === number).map(({ content }) => content)
}

/** The texts of the fields with this number. */
export function textsOf(fields: readonly ProtobufField[], number: number): string[] {
  return fieldContents(fields, number).map((content) => content.toString())
}

/** The values of the fields with this number, each an entry with a key. */
export function entriesOf(fields: readonly ProtobufField[], number: number): ReadonlyMap<string, string> {
  const entries = fieldContents(fields, number).map(readFields)
  return new Map(entries.map((each) => [textsOf(each, entry.key)[0] ?? '', textsOf(each, entry.value)[0] ?? '']))
}
