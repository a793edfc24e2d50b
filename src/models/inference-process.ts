import { writeFileSync } from 'node:fs'
import { loadModel } from './load-model.ts'
import type { LoadedModel, ModelName } from './models.ts'
import { type ModelAnswer, type ModelCall, modelCall } from './start-inference.ts'

// The entry of the pool's processes. The pool sends one call at a time. The process ends with the worker that started it.

/** A process with more resident memory forgets its other models before it loads one. */
const crowdedBytes = 250e6

const loaded = new Map<ModelName, LoadedModel<unknown, unknown>>()

// If the machine runs out of memory, the kernel ends this process and not the worker. Only Linux has the file.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // The worker may end first.
}

process.on('message', (message) => {
  void answerCall(message).then((answer) => process.send?.(answer))
})
process.once('disconnect', () => process.exit())
// Ctrl-C reaches the whole group: the worker decides when its processes end.
process.on('SIGINT', () => {})

async function answerCall(message: unknown): Promise<ModelAnswer> {
  try {
    return { output: await runModel(modelCall.parse(message)) }
  } catch (error) {
    return { output: undefined, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function runModel({ model: name, folder, input }: ModelCall): Promise<unknown> {
  const known = loaded.get(name)
  if (!known && process.memoryUsage.rss() > crowdedBytes) await forgetModels()
  const model = known ?? (await loadModel(name, folder))
  loaded.set(name, model)
  return model.run(input)
}

async function forgetModels(): Promise<void> {
  const models = [...loaded.values()]
  loaded.clear()
  await Promise.all(models.map((model) => model.close()))
}
