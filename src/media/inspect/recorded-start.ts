import type { RecordedStart } from '../../core/media.ts'
import { shortened } from '../../core/text.ts'
import { ratio } from './frame-rate.ts'
import { type ProbedStream, type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'

/** Longer than any timecode. What else is in the tag is only shown. */
const maxTimecodeLength = 40

/** Reads when the recording starts: a timecode, or the samples since midnight of a Broadcast Wave file (EBU Tech 3285). */
export async function readStart(
  query: ProbeQuery,
  probed: ProbeJson,
  { audio, video }: { readonly audio: ProbedStream | undefined; readonly video: ProbedStream | undefined },
): Promise<RecordedStart> {
  const { streams, format } = probed
  const track = streams.find(({ codec_tag_string }) => codec_tag_string === 'tmcd')
  const base = framesPerSecond(track) ?? framesPerSecond(video)
  const written = [track, format, ...streams].find((each) => each?.tags.timecode)?.tags.timecode
  const text = written ?? (track && base && (await countedTimecode(query, track, base)))
  if (text) {
    return { timecode: shortened(text, maxTimecodeLength), ...(base === undefined ? {} : { timecodeBase: base }) }
  }
  const samples = format.tags.time_reference
  return samples && audio?.sample_rate ? { secondsSinceMidnight: samples / audio.sample_rate } : {}
}

/** The frames that timecode counts in a second: 30 for 29.97. */
function framesPerSecond(stream: ProbedStream | undefined): number | undefined {
  return (stream && Math.round(ratio(stream.avg_frame_rate) || ratio(stream.r_frame_rate))) || undefined
}

/**
 * The timecode of a track for which ffprobe writes none. It does so for drop-frame counting at rates that have none, such as the 24
 * frames a second of phones, where no number is dropped. The track has the number of the first frame.
 */
async function countedTimecode(query: ProbeQuery, { index }: ProbedStream, base: number): Promise<string | undefined> {
  const entries = [
    '-select_streams',
    String(index),
    '-show_entries',
    'packet=data',
    '-show_data',
    '-read_intervals',
    '%+#1',
  ]
  const { packets } = await readProbe({ ...query, entries: [...entries] })
  // A hex dump: the offset, then the bytes.
  const [, high, low] = /^\s*0+: ([\da-f]{4}) ([\da-f]{4})\s/.exec(packets[0]?.data ?? '') ?? []
  if (!high || !low) return undefined
  const frame = Number.parseInt(high + low, 16)
  const parts = [frame / (base * 3600), (frame / (base * 60)) % 60, (frame / base) % 60, frame % base]
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
}
