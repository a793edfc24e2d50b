import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import { lineReader } from '../../core/line-reader.ts'
import { unreadableStream } from './mp4-boxes.ts'

// The part of ffprobe's JSON that is used. ffprobe writes numbers as strings, and leaves out numbers that it does not know.

const number = z.coerce.number().refine(Number.isFinite).optional().catch(undefined)

/** MP4 and MOV have a timecode on a stream, MKV on the whole. */
const tags = z.object({ timecode: z.string().optional().catch(undefined), time_reference: number, alpha_mode: number })
/** MKV writes names of tags in capitals. */
const anyCaseTags = z
  .record(z.string(), z.unknown())
  .default({})
  .transform((found) =>
    tags.parse(Object.fromEntries(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]))),
  )

const disposition = z.object({ default: number, attached_pic: number })

const streamData = z.object({
  side_data_type: z.string().optional(),
  rotation: number,
  displaymatrix: z.string().optional(),
  dv_profile: number,
})
const sideData = z.array(streamData).default([])

const stream = z.object({
  index: z.int(),
  codec_type: z.string().default('unknown'),
  codec_name: z.string().default('unknown'),
  codec_tag_string: z.string().optional(),
  time_base: z.string().default('1/1000'),
  start_time: number,
  duration: number,
  sample_rate: number,
  sample_fmt: z.string().optional(),
  channels: number,
  channel_layout: z.string().optional(),
  bits_per_sample: number,
  width: number,
  height: number,
  pix_fmt: z.string().optional(),
  view_ids_available: z.string().optional(),
  /** In base64, if data was asked for. */
  extradata: z.string().optional(),
  field_order: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  sample_aspect_ratio: z.string().default('1:1'),
  avg_frame_rate: z.string().default('0/0'),
  r_frame_rate: z.string().default('0/0'),
  disposition: disposition.default({ default: 0, attached_pic: 0 }),
  nb_frames: number,
  bit_rate: number,
  tags: anyCaseTags,
  side_data_list: sideData,
})

const packet = z.object({
  stream_index: z.int(),
  pts_time: number,
  duration_time: number,
  data: z.string().optional(),
  side_data_list: z.array(z.object({ side_data_type: z.string().optional(), skip_samples: number })).default([]),
})

const frame = z.object({
  pts_time: number,
  width: number,
  height: number,
  sample_aspect_ratio: z.string().default('1:1'),
  interlaced_frame: number,
  top_field_first: number,
  side_data_list: sideData,
})

const chapter = z.object({
  id: z.unknown(),
  start_time: number,
  end_time: number,
  tags: z.object({ title: z.string().optional().catch(undefined) }).default({}),
})

const format = z.object({ start_time: number, duration: number, size: number, tags: anyCaseTags })

const probeJson = z.object({
  streams: z.array(stream).default([]),
  packets: z.array(packet).default([]),
  frames: z.array(frame).default([]),
  chapters: z.array(chapter).default([]),
  format,
})

export type ProbeJson = z.output<typeof probeJson>
export type ProbedStream = ProbeJson['streams'][number]

/** Packets read from the start to detect a variable frame rate: some seconds of film. */
const sampledPackets = 300

/** Enough for a thousand streams with all their fields. The text is parsed in one call on the main thread, which all work shares. */
const maxProbeCharacters = 4 * 2 ** 20

export interface ProbeQuery {
  readonly input: FfmpegInput
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Options that choose other entries than packets. */
  readonly entries?: readonly string[]
}

/** What ffprobe reads of the container, the streams and, by default, the first packets. */
export async function readProbe({ input, ffmpeg, signal, entries }: ProbeQuery): Promise<ProbeJson> {
  const lines: string[] = []
  let characters = 0
  await ffmpeg.probe({
    input,
    signal,
    deadlineSeconds: 60,
    options: ['-show_entries', usedEntries, ...(entries ?? firstPackets), '-of', 'json'],
    onLine: (line) => {
      characters += line.length
      if (characters > maxProbeCharacters)
        throw new ServiceError(
          'processing_failed',
          'The media has too many streams or chapters. Remove those, or convert it.',
        )
      lines.push(line)
    },
  })
  return parseProbe(lines.join('\n'))
}

/** Throws `processing_failed` for a text that is not as ffprobe writes it. */
function parseProbe(text: string): ProbeJson {
  try {
    return probeJson.parse(JSON.parse(text))
  } catch (cause) {
    throw unreadableStream('no description of media', cause)
  }
}

/** Nothing but what is used: a title, a comment or lyrics can have any length. */
const usedEntries = Object.entries({
  ...{ stream, stream_disposition: disposition, stream_tags: tags, stream_side_data: streamData },
  ...{ format, format_tags: tags, chapter: z.object({ id: z.unknown() }) },
})
  .map(([section, { shape }]) => `${section}=${Object.keys(shape).join(',')}`)
  .join(':')

const firstPackets = [
  ...['-show_entries', 'packet=stream_index,pts_time,duration_time:packet_side_data=side_data_type,skip_samples'],
  ...['-read_intervals', `%+#${sampledPackets}`],
]

/** What muxers and filters of ffmpeg write of a frame has 200 characters. */
const maxLineCharacters = 4 * 1024

/**
 * Parses the lines that ffmpeg writes to its output, in chunks of any length. The last one must end. Throws `processing_failed` for a
 * line that is too long to keep.
 */
export function outputLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const onLongLine = () => {
    throw unreadableStream(`a line of more than ${maxLineCharacters} characters`)
  }
  return lineReader({ maxCharacters: maxLineCharacters, onLine, onLongLine }).push
}
