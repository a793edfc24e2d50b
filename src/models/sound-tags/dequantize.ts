import { readFile, writeFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import {
  describeValue,
  entriesOf,
  fieldContents,
  graph,
  model,
  node,
  type ProtobufField,
  readFields,
  tensor,
  textsOf,
  writeField,
} from '../onnx-file.ts'

const scores = 'class_scores'

/**
 * Makes a YAMNet of float numbers from an archive with a quantized one, whose stored weights are floats: its nodes that round them
 * are dropped, because it finds less laughter with them.
 */
export async function dequantize(original: string, installed: string): Promise<void> {
  const files = Object.entries(unzipSync(await readFile(original)))
  const contentOf = (name: string) => {
    const found = files.find(([file]) => file.endsWith(`/${name}`))
    if (!found) throw new Error(`the archive has no ${name}`)
    return Buffer.from(found[1])
  }
  await writeFile(installed, withoutRounding(contentOf('model.onnx'), contentOf('model.data')))
}

function withoutRounding(onnx: Buffer, weights: Buffer): Buffer {
  const fields = readFields(onnx)
  const content = fields.find(({ number }) => number === model.graph)?.content ?? Buffer.alloc(0)
  const graphFields = readFields(content)
  const nodes = fieldContents(graphFields, graph.node).map((message) => {
    const parts = readFields(message)
    const [operator = ''] = textsOf(parts, node.operator)
    return { parts, operator, inputs: textsOf(parts, node.input), outputs: textsOf(parts, node.output) }
  })
  const unrounded = new Map(
    nodes
      .filter(({ operator }) => /^(Q|Deq)uantizeLinear$/.test(operator))
      .map(({ inputs, outputs }) => [outputs[0] ?? '', inputs[0] ?? '']),
  )
  const sourceOf = (name: string): string => {
    const source = unrounded.get(name)
    return source === undefined ? name : sourceOf(source)
  }
  const kept = nodes
    .filter(({ operator }) => !/^(Q|Deq)uantizeLinear$/.test(operator))
    .map(({ parts, inputs }) => ({ parts, inputs: inputs.map(sourceOf) }))
  const used = new Set(kept.flatMap(({ inputs }) => inputs))
  const initializers = fieldContents(graphFields, graph.initializer)
    .map(readFields)
    .filter((parts) => textsOf(parts, tensor.name).some((name) => used.has(name)))
  const changed = Buffer.concat([
    ...kept.map(({ parts, inputs }) =>
      writeField(
        graph.node,
        Buffer.concat([...inputs.map((name) => writeField(node.input, name)), ...bytesWithout(parts, [node.input])]),
      ),
    ),
    writeField(graph.name, 'yamnet'),
    ...initializers.map((parts) => writeField(graph.initializer, embedded(parts, weights))),
    writeField(graph.input, describeValue('audio', 'float', [1, 1, 96, 64])),
    writeField(graph.output, describeValue(sourceOf(scores), 'float', [1, 521])),
  ])
  const others = fields.filter(({ number }) => number !== model.graph)
  return Buffer.concat([...others.map(({ bytes }) => bytes), writeField(model.graph, changed)])
}

/** The tensor with its numbers from the file of weights. */
function embedded(parts: readonly ProtobufField[], weights: Buffer): Buffer {
  const place = entriesOf(parts, tensor.external)
  const rest = bytesWithout(parts, [tensor.external, tensor.location])
  const length = place.get('length')
  if (length === undefined) return Buffer.concat(rest)
  const start = Number(place.get('offset') ?? 0)
  return Buffer.concat([...rest, writeField(tensor.raw, weights.subarray(start, start + Number(length)))])
}

function bytesWithout(fields: readonly ProtobufField[], numbers: readonly number[]): Buffer[] {
  return fields.filter(({ number }) => !numbers.includes(number)).map(({ bytes }) => bytes)
}
