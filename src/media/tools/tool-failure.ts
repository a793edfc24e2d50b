import { open } from 'node:fs/promises'
import { ServiceError } from '../../core/errors.ts'
import { ToolExitError } from './spawn.ts'
import type { ToolLimits } from './tool-limits.ts'

/** What a tool did before it failed. */
export interface ToolTrace {
  /** The last lines of its standard error: for the log only, as the cause. */
  readonly stderr: string
  /** Files that it read. */
  readonly files: readonly string[]
  readonly limits: ToolLimits
}

/** Attempts of an activity whose tool something else killed, such as the kernel for lack of memory. */
const maxKilledAttempts = 2
/** Attempts of an activity if this machine seems to be at fault. Limited, because media can make tools report such faults. */
const maxMachineAttempts = 4

const tooMuchMemory =
  'Reading this media takes more memory than a job may use. Convert it, or choose a smaller picture.'
const wasKilled = 'The tool that reads this media was killed. Convert the media, or try again.'

/** Lines of a tool that could not allocate memory. Some of its functions then drop data, and it exits with 0. */
const failedAllocation =
  /Cannot allocate memory|Out of memory|malloc of size \d+ failed|Failed to allocate|Failed to compensate for timestamp delta/

const machineProblem =
  /No space left on device|No such file or directory|Permission denied|Unknown encoder|Option not found|Unrecognized option/

/** `none` is a codec that ffmpeg does not even know. */
const missingDecoder = /no decoder found for: (\w+)/

/** Damaged media makes demuxers report this too; the second text is musl's. */
const readProblem = /Input\/output error|I\/O error/

export function isFailedAllocation(line: string): boolean {
  return failedAllocation.test(line)
}

export function memoryError(cause: Error): ServiceError {
  return new ServiceError('processing_failed', tooMuchMemory, { cause })
}

/** The error for a tool that failed by itself. */
export async function toolFailure(error: Error, { stderr, files, limits }: ToolTrace): Promise<ServiceError> {
  const cause = new Error(stderr ? `${error.message}\n${stderr}` : error.message, { cause: error })
  const ours = () => new ServiceError('server_error', undefined, { cause, maxAttempts: maxMachineAttempts })
  // It could not be started.
  if (!(error instanceof ToolExitError)) return ours()
  const { code, signal, reason, cpuMs = 0 } = error.exit
  if (reason === 'memory') return memoryError(cause)
  // The launcher ended, or could not run the tool.
  if (reason === 'launcher' || code === 125) return ours()
  if (signal === 'SIGXFSZ') return new ServiceError('media_too_large', undefined, { cause })
  if (signal === 'SIGXCPU') return new ServiceError('timed_out', undefined, { cause })
  if (signal === 'SIGKILL' && cpuMs >= limits.cpuSeconds * 980)
    return new ServiceError('timed_out', undefined, { cause })
  if (signal === 'SIGKILL' || signal === 'SIGTERM')
    return new ServiceError('processing_failed', wasKilled, { cause, retryable: true, maxAttempts: maxKilledAttempts })
  // The media is at fault for a crash.
  if (failedAllocation.test(stderr)) return memoryError(cause)
  if (machineProblem.test(stderr) || (readProblem.test(stderr) && !(await areReadable(files)))) return ours()
  return new ServiceError('processing_failed', undecodableIn(stderr), { cause })
}

/** What is wrong if ffmpeg lacks a decoder. */
function undecodableIn(stderr: string): string | undefined {
  // Of QuickTime before 2005: the atom `cmov`.
  if (stderr.includes('requires zlib support'))
    return 'The index of this file (moov) is compressed, which is not read. Save the file again without compressed headers.'
  const [, codec] = missingDecoder.exec(stderr) ?? []
  if (codec === undefined) return undefined
  const what = codec === 'none' ? 'an unknown codec' : `the codec ${codec}`
  return `The media has a track of ${what}, which cannot be decoded. Convert that track, or choose another one.`
}

const sampledBlocks = 64
const blockBytes = 4096

/** Whether blocks all over the files can be read. */
async function areReadable(files: readonly string[]): Promise<boolean> {
  try {
    for (const path of files) await sampleFile(path)
    return true
  } catch {
    return false
  }
}

async function sampleFile(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const block = Buffer.alloc(blockBytes)
    for (let at = 0; at < sampledBlocks; at++)
      await file.read(block, 0, blockBytes, Math.floor((size * at) / sampledBlocks))
  } finally {
    await file.close()
  }
}
