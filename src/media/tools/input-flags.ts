import type { MediaFormat } from '../../core/media.ts'

type InputKind = MediaFormat | 'pieces'

const demuxers: Readonly<Record<InputKind, string>> = {
  mp4: 'mov',
  mov: 'mov',
  m4v: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
  ogg: 'ogg',
  pieces: 'concat',
}

const protocols = {
  file: ['-protocol_whitelist', 'file'],
  pipe: ['-protocol_whitelist', 'pipe'],
  // Without the limit, megabytes that nobody asked for are on their way when a reader goes elsewhere.
  loopback: ['-protocol_whitelist', 'http,tcp', '-max_redirects', '0', '-recv_buffer_size', '65536'],
} as const

/**
 * What stands before an untrusted input, for ffmpeg and ffprobe alike: nothing but the one file is opened, and only by
 * the demuxer that its first bytes name. Playlists and references to other files stay closed.
 */
export function inputFlags(format: InputKind, protocol: keyof typeof protocols): string[] {
  const demuxer = demuxers[format]
  const formats = format === 'pieces' ? 'concat,mov' : 'mov,matroska,webm,mp3,wav,aac,ogg'
  const flags = [...protocols[protocol], '-format_whitelist', formats, '-f', demuxer]
  return demuxer === 'mov' ? [...flags, '-enable_drefs', '0', '-use_absolute_path', '0'] : flags
}
