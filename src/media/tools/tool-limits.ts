import path from 'node:path'
import type { FfmpegRun, FfprobeRun } from '../../core/ffmpeg.ts'
import { smallToolBytes } from '../../core/memory-budget.ts'

const mebibyte = 1024 ** 2

/**
 * Measured on two cores: at 1920 × 1080 x264 takes 289 MB, of AV1 357, and vp9 388; at 3840 × 2160 x264 takes 971 MB, of AV1 1,163. With 10
 * bits, for which pixels count twice, they take 571 MB and 1,873 MB, and vp9 with transparency 669 MB.
 */
const videoMemoryBytes = 256 * mebibyte
const memoryBytesPerPixel = 130

/** Measured: 4 microseconds a packet, so that a day of film takes 25 seconds. A file of nothing but small packets uses the limit up. */
const probeCpuSeconds = 40
/** A tool may use this many seconds of processor time for each second of its deadline. */
const maxCores = 8
/** The size limit of outputs is ffmpeg's own; the kernel's is behind it, for what a muxer writes after its last packet. */
const fileSlack = 1.25
const maxFileBytes = 64 * 1024 * mebibyte

export function limitsOfProbe({ cpuSeconds = probeCpuSeconds }: FfprobeRun): ToolLimits {
  return { memoryBytes: smallToolBytes, cpuSeconds, fileBytes: 0 }
}

export function limitsOfRun({ deadlineSeconds, pixels = 0, maxBytes, cores }: FfmpegRun): ToolLimits {
  return {
    memoryBytes: pixels === 0 ? smallToolBytes : videoMemoryBytes + pixels * memoryBytesPerPixel,
    cpuSeconds: deadlineSeconds * maxCores,
    cores,
    fileBytes: maxBytes === undefined ? maxFileBytes : Math.ceil(maxBytes * fileSlack) + mebibyte,
  }
}

/**
 * Pixels of the largest picture that ffprobe opens. Larger pictures get no size, so they do not count as video. A picture of
 * this size takes 163 MB.
 */
export const maxProbedPixels = 2 ** 26

/**
 * Flags before the first input that bound single allocations on every machine. Filling a gap in a track takes one
 * allocation, and a bound below the tool's whole memory would leave samples out.
 */
export function limitFlags({ memoryBytes }: ToolLimits): string[] {
  return ['-max_alloc', String(memoryBytes)]
}

/** A tool opens its inputs, writes beside its output, and connects to the port that serves its input. */
export function reachOf(job: FfmpegRun | FfprobeRun): ToolReach {
  const inputs = [job.input, ...('moreInputs' in job ? (job.moreInputs ?? []) : [])]
  const paths = inputs.flatMap((input) => {
    if ('stream' in input || ('served' in input && input.served)) return []
    // A list names files beside it.
    return input.format === 'pieces' ? [path.dirname(input.path)] : [input.path]
  })
  const served = inputs.flatMap((input) =>
    'served' in input && input.served ? [Number(new URL(input.path).port)] : [],
  )
  const output = 'output' in job && typeof job.output === 'string' ? [path.dirname(job.output)] : []
  return { read: paths, write: output, connect: served }
}

export interface ToolLimits {
  /** The tool is killed when its resident memory exceeds this. */
  readonly memoryBytes: number
  readonly cpuSeconds: number
  /** 1: all threads of the tool share a core. Undefined: the cores of the machine. */
  readonly cores?: 1 | undefined
  /** Size of each file that it writes. */
  readonly fileBytes: number
}

/** What a confined tool can open; everything else on the machine is closed to it. */
export interface ToolReach {
  readonly read: readonly string[]
  /** Folders in which it may make, change and remove plain files. */
  readonly write: readonly string[]
  /** TCP ports. */
  readonly connect: readonly number[]
}

/** A tool opens its input, its outputs and a few libraries. */
const maxOpenFiles = 64
/**
 * The data segment is 5 to 40 % larger than resident memory. Its limit stops a tool that grows between two measurements of
 * resident memory.
 */
const dataPerMemory = 1.5

/** The kernel's limits (setrlimit(2)) by the names that prlimit(1) has for them; each is soft and hard. */
export function resourceLimits({ memoryBytes, cpuSeconds, fileBytes }: ToolLimits): Readonly<Record<string, number>> {
  return {
    data: Math.ceil(memoryBytes * dataPerMemory),
    // At a soft limit below the hard one ffmpeg would end with 0 and half an output.
    cpu: Math.ceil(cpuSeconds),
    fsize: fileBytes,
    nofile: maxOpenFiles,
    core: 0,
  }
}

/** As a tool has that may work for ten minutes on eight cores: a minute of 1080p, or an hour of sound. */
const longCpuSeconds = 4_800

/** How much lower than the service's the priority of a tool is (setpriority(2)). Long work leaves the cores to short work too. */
export function nicenessOf({ cpuSeconds }: ToolLimits): number {
  return cpuSeconds > longCpuSeconds ? 10 : 5
}
