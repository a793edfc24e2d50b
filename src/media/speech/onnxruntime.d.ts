// Whichever build of the runtime carries this name: they share one interface.
declare module 'onnxruntime-node' {
  export { env, InferenceSession, Tensor } from 'onnxruntime-common'
}
