import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ServiceError } from '../../core/errors.ts'
import {
  defaultMaxPixels,
  type Ffmpeg,
  type FfmpegRun,
  type FfprobeRun,
  type MoreInput,
  type ServedInput,
} from '../../core/ffmpeg.ts'
import { type MemoryBudget, unlimitedMemory } from '../../core/memory-budget.ts'
import { runFfprobe } from './ffprobe.ts'
import { createCommand, runCommand } from './fluent-command.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { type StartTool, spawnTool, type TakeOutput, type ToolProcess } from './spawn.ts'
import { feed, type ProcessHandle, queueOutput, supervise } from './supervise.ts'
import { limitFlags, limitsOfProbe, limitsOfRun, reachOf, type ToolLimits } from './tool-limits.ts'

interface FfmpegOptions {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** Folder that lists the running processes, so that `endOrphans` finds them after a crash. */
  readonly processDir: string
  /** Starts the tools; without it, they are children of this process, and not confined. */
  readonly start?: StartTool
  /** A tool starts when its memory fits into this budget, which all tools share. Without a budget, tools start immediately. */
  readonly memory?: MemoryBudget
  readonly maxPixels?: number
}

export function createFfmpeg(options: FfmpegOptions): Ffmpeg {
  const { ffmpegPath, ffprobePath, processDir, start = spawnTool, memory = unlimitedMemory } = options
  const { maxPixels = defaultMaxPixels } = options
  /** Runs one tool to its end, as soon as the memory of its limit is free. */
  const superviseWithin = (
    job: FfmpegRun | FfprobeRun,
    limits: ToolLimits,
    run: (start: StartWith, handle: ProcessHandle) => Promise<void>,
  ) => {
    const reach = reachOf(job)
    const takesInput = streamOf(job) !== undefined
    // Another tool writes the first input, and waits for this one. Pictures are painted only when this tool reads them.
    const startsImmediately = 'stream' in job.input
    const claimKeys = servedOf(job)?.claimKeys ?? []
    const need = { bytes: limits.memoryBytes, isRemote: reach.connect.length > 0, claimKeys, startsImmediately }
    const startWith: StartWith = (program, args, takeOutput) =>
      start({ program, args: [...limitFlags(limits), ...args], takesInput, takeOutput, limits, reach })
    return memory.use(need, job.signal, () =>
      supervise({ ...supervisionOf(job, processDir), limits, files: reach.read }, (handle) => run(startWith, handle)),
    )
  }
  return {
    maxPixels,
    async run(job) {
      let decodeErrors = 0
      const countErrors = (line: string) => {
        if (isDecodeError(line)) decodeErrors += 1
      }
      await superviseWithin(job, limitsOfRun(job), (startWith, handle) =>
        runFfmpeg((...more) => startWith(ffmpegPath, ...more), job, handle, { onErrorLine: countErrors, maxPixels }),
      )
      if (job.maxBytes === undefined || typeof job.output !== 'string') return { decodeErrors }
      // At its size limit ffmpeg closes the file and reports success.
      const { size } = await stat(job.output)
      if (size >= job.maxBytes)
        throw new ServiceError('media_too_large', 'The output exceeds the size limit. Choose a shorter window.')
      return { decodeErrors }
    },
    probe: (job) =>
      superviseWithin(job, limitsOfProbe(job), (startWith, handle) =>
        runFfprobe((args) => startWith(ffprobePath, args), job, handle),
      ),
  }
}

function inputsOf(job: FfmpegRun | FfprobeRun): (FfmpegRun['input'] | MoreInput)[] {
  return [job.input, ...('moreInputs' in job ? (job.moreInputs ?? []) : [])]
}

/** Of several inputs, all served ones are the same source. */
function servedOf(job: FfmpegRun | FfprobeRun): ServedInput | undefined {
  return inputsOf(job).flatMap((input) => ('served' in input && input.served ? [input.served] : []))[0]
}

/** The input that is written to the tool. */
function streamOf(job: FfmpegRun | FfprobeRun): Readable | undefined {
  return inputsOf(job).flatMap((input) => ('stream' in input ? [input.stream] : []))[0]
}

type StartWith = (program: string, args: readonly string[], takeOutput?: TakeOutput) => ToolProcess

/** Also aborts when a served input fails, because a tool takes the end of its input for the end of the media. */
function supervisionOf(job: FfmpegRun | FfprobeRun, processDir: string) {
  const { signal, deadlineSeconds } = job
  const served = servedOf(job)
  if (!served) return { signal, deadlineSeconds, processDir }
  const either = AbortSignal.any([signal, served.failed])
  return { signal: either, deadlineSeconds, waitedMs: served.waitedMs, processDir }
}

async function runFfmpeg(
  start: (args: readonly string[], takeOutput?: TakeOutput) => ToolProcess,
  job: FfmpegRun,
  handle: ProcessHandle,
  { onErrorLine, maxPixels }: { readonly onErrorLine: (line: string) => void; readonly maxPixels: number },
): Promise<void> {
  const { input, moreInputs = [], output, inputOptions = [], outputOptions, onProgress, maxBytes } = job
  const stream = streamOf(job)
  const queue = typeof output === 'function' ? queueOutput(keeping(output, job), handle) : undefined
  const command = createCommand((args) => {
    const tool = start(args, queue?.take)
    handle.attach(tool)
    if (stream && tool.stdin) feed(stream, tool.stdin, handle)
    return tool
  })
  command
    .input('path' in input ? input.path : 'pipe:0')
    // Spread: fluent-ffmpeg splits the options of an array at their spaces.
    .inputOptions('-nostdin', ...quietFlags, ...inputOptions, ...inputFlags(input, maxPixels))
  for (const more of moreInputs) {
    const options = [...(more.inputOptions ?? []), ...inputFlags(more, maxPixels)]
    command.input('path' in more ? more.path : 'pipe:0').inputOptions(...options)
  }
  command
    .outputOptions(
      // Its own 'progress' event would start another ffprobe, without our flags.
      '-nostats',
      ...(onProgress ? ['-progress', 'pipe:2'] : []),
      ...chaptersOf(job),
      ...(typeof output === 'string' ? [] : withoutTags),
      ...outputOptions,
      ...(maxBytes === undefined ? [] : ['-fs', String(maxBytes)]),
    )
    .output(typeof output === 'string' ? output : 'pipe:1')
    .on('stderr', (line: string) => {
      const progress = /^(\w+)=\s*(\S+)$/.exec(line)
      if (!progress) {
        handle.addStderr(line)
        onErrorLine(line)
      } else if (progress[1] === 'out_time_us' && Number(progress[2]) > 0) onProgress?.(Number(progress[2]) / 1e6)
    })
  await runCommand(command)
  await queue?.allTaken()
}

/**
 * ffmpeg copies the chapters of the first input by default, and writes their titles between the samples of some formats. Only those that this
 * service wrote are.
 */
function chaptersOf({ moreInputs = [], output }: FfmpegRun): string[] {
  const index = moreInputs.findIndex(({ format }) => format === 'chapters')
  return ['-map_chapters', String(typeof output === 'string' && index >= 0 ? index + 1 : -1)]
}

/** Streams that this process parses contain only the mapped tracks: no titles or lyrics of any length. */
const withoutTags = ['-map_metadata', '-1']

/** The function, called with chunks that it may keep, unless it keeps none. */
function keeping<Taken>(output: (chunk: Buffer) => Taken, { keepsNoChunk }: FfmpegRun): (chunk: Buffer) => Taken {
  return keepsNoChunk ? output : (chunk) => output(Buffer.from(chunk))
}

/*
 * With `-v error`, ffmpeg that ends well writes a line for each error that it met: mostly of decoders and demuxers, as
 * `[h264 @ 0x55…] error while decoding MB 3 4`.
 */

/**
 * Lines that decoders also write for healthy media. If decoding begins at a keyframe of an open group of pictures, frames refer
 * to earlier frames, which are missing (libavcodec/h264_refs.c, hevc/refs.c).
 */
const missingReferences =
  /mmco: unref short failure|co located POCs unavailable|reference picture|number of reference frames|Could not find ref with POC|Error constructing the frame RPS/i

/** A line about the output: after a gap in the source's timestamps, the muxer corrects its own. */
const ofOutput = /non monotonically increasing dts to muxer/

/** The parameter sets that Apple's encoders write beside an alpha layer (libavcodec/hevc/ps.c). The layer is decoded. */
const alphaLayer = /Unexpected extra rep formats/

/** A timecode that is marked as drop-frame at a rate that drops no frame, as phones write it (libavutil/timecode.c). */
const dropFrameMark = /Drop frame is only allowed with multiples of 30000\/1001 FPS/

/** Repeats the line before it, which was already counted. */
const repetition = /^\s*Last message repeated/

/** Whether the line says that the media is damaged. */
export function isDecodeError(line: string): boolean {
  const harmless = [missingReferences, ofOutput, alphaLayer, dropFrameMark, repetition]
  return line.trim() !== '' && !harmless.some((pattern) => pattern.test(line))
}
