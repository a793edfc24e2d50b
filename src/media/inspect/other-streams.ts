import type { ProbedStream, ProbeJson } from './probe-json.ts'

/**
 * The limit exists because a job reads each track separately, but its price depends only on the length of its media. Recordings
 * can have a track for each speaker.
 */
export const maxAudioTracks = 8

/** Containers allow thousands of streams. */
const maxDescribedStreams = 20

/** Descriptions of the streams that are not used. Those with the titles of chapters and with timecode are known as such. */
export function describeOthers({ streams }: ProbeJson, used: readonly ProbedStream[]): string[] {
  const audio = streams.filter(({ codec_type }) => codec_type === 'audio')
  const others = streams.filter((stream) => !used.includes(stream) && !isMark(stream))
  const described = others.slice(0, maxDescribedStreams).map((stream) => describeOther(stream, audio.indexOf(stream)))
  const left = others.length - described.length
  return [...described, ...(left > 0 ? [`${left} more streams`] : [])]
}

function isMark({ codec_type, codec_name, codec_tag_string }: ProbedStream): boolean {
  return (
    codec_type === 'data' && (codec_tag_string === 'tmcd' || (codec_tag_string === 'text' && codec_name === 'bin_data'))
  )
}

function describeOther({ codec_type, codec_name, disposition }: ProbedStream, audioIndex: number): string {
  if (codec_type === 'video' && disposition.attached_pic === 1) return `cover art (${codec_name})`
  if (audioIndex >= maxAudioTracks) return `audio track ${audioIndex} (${codec_name})`
  return codec_name === 'unknown' ? codec_type : `${codec_type} (${codec_name})`
}
