import type { InferenceSession } from 'onnxruntime-node'

/** ONNX Runtime's native build. Throws where the package has none for the platform, such as Intel Macs. */
export const loadOnnxRuntime = () => import('onnxruntime-node')

/** Throws if an output is not there, or has no floats. */
export function floatsOf(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data
  if (data instanceof Float32Array) return data
  throw new Error(`the model returned no floats ${name}`)
}

/** One core a call: the pool runs as many calls as there are cores. */
export const sessionOptions: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Without warnings about initialisers that a converted graph does not use.
  logSeverityLevel: 3,
}
