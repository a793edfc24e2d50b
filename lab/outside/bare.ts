import { buffer, text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Segment } from '../../src/core/segments.ts'
import { assertSuccess, type StartTool } from '../../src/media/tools/spawn.ts'

// What ffprobe and ffmpeg find in a file with their own defaults. They are confined as in a worker, because the files come from anywhere.

export interface BareTools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly start: StartTool
}

const seconds = z.coerce.number().optional().catch(undefined)

const probed = z.object({
  streams: z.array(
    z.object({
      index: z.number(),
      codec_type: z.string().default('unknown'),
      codec_name: z.string().default('unknown'),
      sample_rate: z.coerce.number().optional(),
      channels: z.number().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      disposition: z.object({ attached_pic: z.number(), still_image: z.number().default(0) }),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
    }),
  ),
  packets: z.array(
    z.object({
      stream_index: z.number(),
      pts_time: seconds,
      duration_time: seconds,
      flags: z.string().default(''),
      side_data_list: z.array(z.object({ discard_padding: z.number().default(0) })).default([]),
    }),
  ),
  format: z.object({ format_name: z.string(), start_time: seconds }),
})

export type BareFile = Awaited<ReturnType<typeof probeFile>>

/** Throws if ffprobe cannot read the file. */
export async function probeFile(tools: BareTools, file: string) {
  const args = ['-v', 'error', '-show_streams', '-show_packets', '-show_format', '-of', 'json', file]
  const { streams, packets, format } = probed.parse(
    JSON.parse((await run(tools, tools.ffprobePath, args, file)).toString()),
  )
  const audio = streams.filter((stream) => stream.codec_type === 'audio' && stream.sample_rate && stream.channels)
  const video = streams.find(
    ({ codec_type, width, disposition }) =>
      codec_type === 'video' && width !== undefined && disposition.attached_pic + disposition.still_image === 0,
  )
  const origin = Math.max(0, format.start_time ?? 0)
  const shown = packets.filter(({ flags }) => !flags.includes('D'))
  const tracks = new Set([...audio, ...(video ? [video] : [])].map(({ index }) => index))
  // Other containers shorten the last packet by the padding that players skip.
  const paddingOf = ({ stream_index, side_data_list }: z.output<typeof probed>['packets'][number]) =>
    format.format_name === 'mp3'
      ? (side_data_list[0]?.discard_padding ?? 0) / (streams[stream_index]?.sample_rate ?? 1)
      : 0
  const ends = shown.flatMap((packet) => {
    const { stream_index, pts_time, duration_time = 0 } = packet
    return pts_time === undefined || !tracks.has(stream_index)
      ? []
      : [pts_time + duration_time - paddingOf(packet) - origin]
  })
  return {
    file,
    formatName: format.format_name,
    audio,
    video,
    origin,
    seconds: ends.reduce((last, end) => Math.max(last, end), 0),
    /** When each frame of the picture is shown, ascending. */
    frameTimes: shown
      .flatMap((packet) => (packet.stream_index === video?.index ? [(packet.pts_time ?? 0) - origin] : []))
      .toSorted((a, b) => a - b),
  }
}

/** Whether ffmpeg decodes any of the sound and the picture. */
export async function decodes(tools: BareTools, { file, audio, video }: BareFile): Promise<boolean> {
  const streams = [...audio, ...(video ? [video] : [])].map(({ index }) => ['-map', `0:${index}`])
  if (streams.length === 0) return false
  const args = ['-v', 'error', '-i', file, ...streams.flat(), '-f', 'framecrc', '-']
  const output = await run(tools, tools.ffmpegPath, args, file).catch(() => Buffer.alloc(0))
  return /^\d/m.test(output.toString())
}

/** Pixels across and down of a small grey copy of a frame. */
const side = 32
const rateHz = 8000

/** Small grey copies of the frames that begin in the range. */
export async function picturesIn(tools: BareTools, { file, video, origin }: BareFile, { start, end }: Segment) {
  const half = 0.0005
  const trim = `trim=start=${start - half}:end=${end - half}`
  const filter = `setpts=PTS-${origin}/TB,${trim},scale=${side}:${side}:flags=area,format=gray`
  const bytes = await decode(
    tools,
    file,
    ['-map', `0:${video?.index}`, '-vf', filter, '-fps_mode', 'passthrough'],
    'rawvideo',
  )
  return Array.from({ length: Math.floor(bytes.length / side ** 2) }, (_, index) =>
    bytes.subarray(index * side ** 2, (index + 1) * side ** 2),
  )
}

/** The sound of the range: all channels in one, 8,000 samples a second. */
export async function soundIn(
  tools: BareTools,
  { file, audio, origin }: BareFile,
  track: number,
  { start, end }: Segment,
) {
  const filter = `${onClock(origin)}aresample=${rateHz},atrim=start=${start}:end=${end}`
  const bytes = await decode(tools, file, ['-map', `0:${audio[track]?.index}`, '-af', filter, '-ac', '1'], 's16le')
  return new Int16Array(new Uint8Array(bytes.subarray(0, bytes.length & ~1)).buffer)
}

interface SilenceOptions {
  readonly track: number
  readonly thresholdDb: number
  readonly minSeconds: number
}

/** Silences as ffmpeg's own filter finds them. A track that ends before the media is silent from there. */
export async function silencesIn(
  tools: BareTools,
  { file, audio, origin, seconds: length }: BareFile,
  asked: SilenceOptions,
) {
  const detect = `silencedetect=n=${asked.thresholdDb}dB:d=${asked.minSeconds}`
  const filter = `${onClock(origin)}apad=whole_dur=${length},${detect},ametadata=print:file=-`
  const track = `0:${audio[asked.track]?.index}`
  const args = ['-v', 'error', '-copyts', '-i', file, '-map', track, '-af', filter, '-f', 'null', '-']
  const output = (await run(tools, tools.ffmpegPath, args, file)).toString()
  const times = (name: string) =>
    [...output.matchAll(new RegExp(`${name}=(\\S+)`, 'g'))].map(([, time]) => Number(time))
  const ends = times('silence_end')
  return times('silence_start').map((start, index) => ({ start, end: Math.min(ends[index] ?? length, length) }))
}

/** Puts samples where their timestamps are, on the clock on which the media starts at 0. */
function onClock(origin: number): string {
  return `asetpts=PTS-${origin}/TB,aresample=async=1:first_pts=0,`
}

function decode(tools: BareTools, file: string, options: readonly string[], format: string): Promise<Buffer> {
  return run(tools, tools.ffmpegPath, ['-v', 'error', '-copyts', '-i', file, ...options, '-f', format, '-'], file)
}

async function run({ start }: BareTools, program: string, args: readonly string[], file: string): Promise<Buffer> {
  const limits = { memoryBytes: 2 ** 31, cpuSeconds: 120, fileBytes: 0 }
  const tool = start({ program, args, limits, reach: { read: [file], write: [], connect: [] } })
  const [output, errors] = await Promise.all([buffer(tool.stdout), text(tool.stderr)])
  await assertSuccess(errors.trim().split('\n').at(-1) || program, tool.exit)
  return output
}
