// Either build of the runtime can be installed under this name: they share one interface.
declare module 'onnxruntime-node' {
  export { env, InferenceSession, Tensor } from 'onnxruntime-common'
}
