import { readFile, rm, writeFile } from 'node:fs/promises'
import { attribute, describeValue, graph, model, node, readFields, textsOf, writeField } from '../onnx-file.ts'
import { loadOnnxRuntime } from '../onnx-runtime.ts'
import { attentionOutputs } from './word-times.ts'

/**
 * Makes the decoder from Moonshine's: the same weights and steps, with the attention to the sound as further outputs, from which the
 * times of words are computed. The runtime writes its own format as ONNX, whose graph is then edited.
 */
export async function exposeAttention(original: string, installed: string): Promise<void> {
  const { InferenceSession } = await loadOnnxRuntime()
  const asOnnx = `${installed}.onnx`
  const session = await InferenceSession.create(original, {
    graphOptimizationLevel: 'disabled',
    optimizedModelFilePath: asOnnx,
    extra: { session: { save_model_format: 'ONNX' } },
  })
  await session.release()
  await writeFile(installed, withOutputs(await readFile(asOnnx), attentionOutputs))
  await rm(asOnnx)
}

/**
 * The model with values of its `If` node as outputs. Each branch computes a value of that name: one with kept keys and values, and one
 * for the first token.
 */
function withOutputs(onnx: Buffer, names: readonly string[]): Buffer {
  const outputs = names.map((name) => writeField(graph.output, describeValue(name, 'float')))
  // A graph must have a name, and the runtime wrote empty ones.
  const extend = (message: Buffer) =>
    Buffer.concat([replaceFields(message, graph.name, () => Buffer.from('decoder')), ...outputs])
  const extendBranch = (content: Buffer) => replaceFields(content, attribute.graph, extend)
  const extendNode = (content: Buffer) => {
    if (!textsOf(readFields(content), node.operator).includes('If')) return content
    const withBranches = replaceFields(content, node.attribute, extendBranch)
    return Buffer.concat([withBranches, ...names.map((name) => writeField(node.output, name))])
  }
  return replaceFields(onnx, model.graph, (content) => extend(replaceFields(content, graph.node, extendNode)))
}

function replaceFields(message: Buffer, number: number, replace: (content: Buffer) => Buffer): Buffer {
  const fields = readFields(message)
  return Buffer.concat(
    fields.map((field) => (field.number === number ? writeField(number, replace(field.content)) : field.bytes)),
  )
}
