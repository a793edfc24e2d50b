import path from 'node:path'
import { createLimit } from '../core/concurrency.ts'
import { notInstalled, ServiceError } from '../core/errors.ts'
import { type MemoryBudget, unlimitedMemory } from '../core/memory-budget.ts'
import { installedModels } from './manifest.ts'
import { type ModelInput, type ModelName, type ModelOutput, type Models, modelInterfaces } from './models.ts'
import { type InferenceChild, startInferenceChild } from './start-inference.ts'

export interface PoolOptions {
  /** Without a folder, no model is installed. */
  readonly modelsDir: string | undefined
  /** The number of calls that run simultaneously: one a core. */
  readonly size: number
  readonly idleSeconds?: number
  /** Resident memory at which a process is ended. */
  readonly maxBytes?: number
  /** Counts `maxBytes` for every process. */
  readonly memory?: MemoryBudget
}

/**
 * Runs models in processes that are started when they are needed. Inference then never blocks the worker, a canceled call ends with
 * its process, an idle process gives its memory back, and one that grows too large or crashes fails one call. Threads could do none
 * of the last three, which is why no pool of threads does this.
 */
export interface ModelPool {
  readonly installed: ReadonlySet<ModelName>
  /** The models for one job: its calls end when the signal aborts. */
  modelsFor(signal: AbortSignal): Models
  /** Ends the processes, and the calls in them. */
  close(): Promise<void>
}

export function createModelPool({ modelsDir, size, ...options }: PoolOptions): ModelPool {
  const { idleSeconds = 20, maxBytes = 700e6, memory = unlimitedMemory } = options
  const installed = installedModels(modelsDir)
  const inTurn = createLimit(size)
  /** The longest idle first. */
  const idle = new Map<InferenceChild, NodeJS.Timeout>()
  const busy = new Set<InferenceChild>()

  function startChild(): InferenceChild {
    const child = startInferenceChild(maxBytes)
    // A tool may be running that waits for the model to take its pictures: waiting for that tool's memory would never end.
    const need = { bytes: maxBytes, isRemote: false, claimKeys: [], startsImmediately: true }
    void memory.use(need, new AbortController().signal, () => child.ended)
    return child
  }

  /** A process that has loaded the model already, otherwise the one that was idle longest. */
  function takeChild(model: ModelName): InferenceChild {
    const [first] = idle.keys()
    const found = [...idle.keys()].find(({ models }) => models.has(model)) ?? first
    clearTimeout(found && idle.get(found))
    if (found) idle.delete(found)
    const child = found && !found.hasEnded() ? found : startChild()
    busy.add(child)
    return child
  }

  function giveBack(child: InferenceChild): void {
    busy.delete(child)
    if (child.hasEnded()) return
    const release = () => {
      idle.delete(child)
      void child.end()
    }
    idle.set(child, setTimeout(release, idleSeconds * 1000).unref())
  }

  async function run<Name extends ModelName>(
    model: Name,
    input: ModelInput<Name>,
    signal: AbortSignal,
  ): Promise<ModelOutput<Name>> {
    if (!modelsDir || !installed.has(model)) throw new ServiceError('endpoint_unavailable', notInstalled)
    return inTurn(async () => {
      const child = takeChild(model)
      try {
        const output = await child.call({ model, folder: path.join(modelsDir, model), input }, signal)
        return modelInterfaces[model].output.parse(output)
      } finally {
        giveBack(child)
      }
    }, signal)
  }

  return {
    installed,
    modelsFor: (signal) => ({ has: (name) => installed.has(name), run: (name, input) => run(name, input, signal) }),
    close: async () => {
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all([...idle.keys(), ...busy].map((child) => child.end()))
    },
  }
}
