import type { ClipFormat } from '../../core/media.ts'
import type { ClipTracks } from '../clip/clip-tracks.ts'
import { refuseUnless } from './copy-refusal.ts'

interface Codecs {
  readonly video: RegExp
  readonly audio: RegExp
}

const none = /^$/
const mp4: Codecs = { video: /^(h264|hevc|av1|vp9|mpeg4)$/, audio: /^(aac|mp3|opus|ac3|eac3|flac|alac)$/ }

/** The codecs that are copied into each container: those that players expect in it. */
const codecsIn: Readonly<Record<ClipFormat, Codecs>> = {
  mp4,
  mov: { video: /^(h264|hevc|mpeg4|prores|mjpeg)$/, audio: /^(aac|mp3|ac3|alac|pcm_\w+)$/ },
  // ffmpeg writes no HEVC with the brand of M4V.
  m4v: { video: /^(h264|mpeg4)$/, audio: /^(aac|ac3|alac)$/ },
  webm: { video: /^(vp8|vp9|av1)$/, audio: /^(opus|vorbis)$/ },
  m4a: { video: none, audio: /^(aac|alac)$/ },
  mp3: { video: none, audio: /^mp3$/ },
  ogg: { video: none, audio: /^(opus|vorbis)$/ },
  opus: { video: none, audio: /^opus$/ },
  // Encoded without loss, and exact to the sample.
  wav: { video: none, audio: none },
  aiff: { video: none, audio: none },
  flac: { video: none, audio: none },
  // Its packets have no times.
  aac: { video: none, audio: none },
}

/** Throws `CopyRefusal` if the packets of a track are not copied into the clip's container. */
export function assertCopyable({ video, audio }: ClipTracks, format: ClipFormat): void {
  const codecs = codecsIn[format]
  refuseUnless(!video || codecs.video.test(video.codec), `${video?.codec} is not copied into ${format}`)
  for (const { codec } of audio) refuseUnless(codecs.audio.test(codec), `${codec} is not copied into ${format}`)
}
