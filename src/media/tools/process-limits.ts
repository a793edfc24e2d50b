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
