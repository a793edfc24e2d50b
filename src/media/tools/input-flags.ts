import type { FfmpegChapters, FfmpegPicture, FfmpegPictures, FfmpegRun } from '../../core/ffmpeg.ts'

type ToolInput = FfmpegRun['input'] | FfmpegPictures | FfmpegPicture | FfmpegChapters

const demuxers: Readonly<Record<ToolInput['format'], string>> = {
  mp4: 'mov',
  mov: 'mov',
  m4v: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
  ogg: 'ogg',
  opus: 'ogg',
  flac: 'flac',
  aiff: 'aiff',
  amr: 'amr',
  mkv: 'matroska',
  mka: 'matroska',
  jpg: 'jpeg_pipe',
  png: 'png_pipe',
  webp: 'webp_pipe',
  pieces: 'concat',
  pictures: 'rawvideo',
  picture: 'rawvideo',
  chapters: 'ffmetadata',
}

const protocolFlags = {
  file: ['-protocol_whitelist', 'file'],
  pipe: ['-protocol_whitelist', 'pipe'],
  // A reader that seeks or ends leaves full buffers behind, which were fetched for nothing. Both are limited: the tool's by
  // its size, and the sender's by the segment size, since Linux lets the send buffer grow to 20 segments (64 KiB each over the
  // loopback) and more: tcp_sndbuf_expand in net/ipv4/tcp_input.c.
  loopback: [
    '-protocol_whitelist',
    'http,tcp',
    '-max_redirects',
    '0',
    '-recv_buffer_size',
    '65536',
    '-tcp_mss',
    '1448',
  ],
} as const

/** Only errors reach standard error. */
export const quietFlags: readonly string[] = ['-hide_banner', '-v', 'error']

/**
 * Flags before an untrusted input, for ffmpeg and ffprobe alike: only this one file is opened, and only by the demuxer that
 * its first bytes name. Playlists and references to other files stay closed, and larger pictures are not decoded.
 */
export function inputFlags(input: ToolInput, maxPixels: number): string[] {
  const demuxer = demuxers[input.format]
  const formats = input.format === 'pieces' ? 'concat,mov,matroska' : demuxer
  const flags = [
    ...['-max_pixels', String(maxPixels)],
    ...[...protocolFlags[protocolOf(input)], '-format_whitelist', formats, '-f', demuxer],
  ]
  if (input.format === 'pictures' || input.format === 'picture') {
    return [...flags, '-pixel_format', 'rgba', '-video_size', `${input.width}x${input.height}`, '-framerate', '1']
  }
  return demuxer === 'mov' ? [...flags, '-enable_drefs', '0', '-use_absolute_path', '0'] : flags
}

function protocolOf(input: ToolInput): keyof typeof protocolFlags {
  if ('stream' in input) return 'pipe'
  return 'served' in input && input.served ? 'loopback' : 'file'
}
