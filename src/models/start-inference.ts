import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { installedFile } from '../core/disk.ts'
import { ServiceError } from '../core/errors.ts'
import { type ModelName, modelNames } from './models.ts'

/** A process that runs models, one call at a time. */
export interface InferenceChild {
  /** The models that it has loaded. */
  readonly models: ReadonlySet<ModelName>
  /** Throws what the model threw. An aborted call ends the process. */
  call(call: ModelCall, signal: AbortSignal): Promise<unknown>
  hasEnded(): boolean
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  end(): Promise<void>
}

const memoryCheckMs = 250

/** Starts a process, which is ended when its resident memory reaches `maxBytes`. */
export function startInferenceChild(maxBytes: number): InferenceChild {
  const child = fork(entry, {
    serialization: 'advanced',
    execArgv,
    // None of the worker's secrets.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // A process that cannot start or be reached also ends, which is what calls wait for.
  child.on('error', () => {})
  const models = new Set<ModelName>()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  // `close` also comes after a failed start, which `exit` does not.
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  let isTooLarge = false
  const endIfTooLarge = async () => {
    if ((await residentBytes(child)) < maxBytes) return
    isTooLarge = true
    child.kill('SIGKILL')
  }
  const watch = setInterval(() => void endIfTooLarge(), memoryCheckMs)
  child.once('exit', () => clearInterval(watch))
  // It keeps nothing alive that has nothing else to do.
  watch.unref()
  child.unref()
  child.channel?.unref()
  return {
    models,
    hasEnded,
    ended,
    end,
    call: async (call, signal) => {
      signal.throwIfAborted()
      const abort = () => child.kill('SIGKILL')
      signal.addEventListener('abort', abort, { once: true })
      child.channel?.ref()
      try {
        const { output, error } = await answerOf(child, call)
        if (error !== undefined) throw new Error(`${call.model}: ${error}`)
        models.add(call.model)
        return output
      } catch (error) {
        await end()
        signal.throwIfAborted()
        if (!isTooLarge) throw error
        throw new ServiceError('processing_failed', tooLarge, { cause: error })
      } finally {
        child.channel?.unref()
        signal.removeEventListener('abort', abort)
      }
    },
  }
}

const tooLarge = 'The media needs more memory than one job may take. Choose a shorter window.'

/** Compiled services have it as a file of its own; tests run the sources. */
const isCompiled = import.meta.url.endsWith('.js')
const entry = installedFile(`src/models/inference-process.${isCompiled ? 'js' : 'ts'}`)
const execArgv = isCompiled ? [] : ['--import', 'tsx']

async function answerOf(child: ChildProcess, call: ModelCall) {
  const listening = new AbortController()
  const options = { signal: listening.signal }
  try {
    const answered = once(child, 'message', options).then((given: unknown[]) => modelAnswer.parse(given[0]))
    const ended = once(child, 'exit', options).then((): never => {
      throw new Error(`the process of ${call.model} ended with ${child.signalCode ?? `code ${child.exitCode}`}`)
    })
    child.send(call)
    return await Promise.race([answered, ended])
  } finally {
    listening.abort()
  }
}

/** 0 where it cannot be read: only Linux has the file. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

// What the pool and its processes send each other. Typed arrays stay typed arrays.

export const modelCall = z.object({ model: z.enum(modelNames), folder: z.string(), input: z.unknown() })
export type ModelCall = z.output<typeof modelCall>

/** `error` has the stack, for the log. */
const modelAnswer = z.object({ output: z.unknown(), error: z.string().optional() })
export type ModelAnswer = z.output<typeof modelAnswer>
