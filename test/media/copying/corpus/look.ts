import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { mediaTools } from '../../../setup/tools.ts'

const number = z.coerce.number()

const probed = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string(),
      codec_name: z.string(),
      width: z.number().optional(),
      height: z.number().optional(),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
    }),
  ),
  packets: z.array(
    z.object({
      codec_type: z.string(),
      pts_time: number,
      duration_time: number.default(0),
      flags: z.string(),
      data_hash: z.string(),
    }),
  ),
  format: z.object({ start_time: number, duration: number }),
})

export interface Look {
  readonly codec: string | undefined
  readonly rotation: number
  /** As players show it. */
  readonly size: string
  readonly startSeconds: number
  readonly endSeconds: number
  /** In the order in which they are shown, without those that the file hides. */
  readonly frames: readonly { readonly pts: number; readonly isKeyframe: boolean; readonly bytes: string }[]
  /** All packets of the picture, in decoding order. */
  readonly stored: readonly string[]
  /** Hashes of the decoded frames, in the order in which they are shown. */
  readonly pictures: readonly string[]
  readonly problems: string
}

/** What ffprobe and ffmpeg find in a file, without any code of the service. */
export async function look(file: string): Promise<Look> {
  const exec = promisify(execFile)
  const [read, decoded] = await Promise.all([
    exec(
      mediaTools.ffprobePath,
      ['-v', 'error', '-show_streams', '-show_packets', '-show_format', '-show_data_hash', 'md5', '-of', 'json', file],
      { maxBuffer: 2 ** 27 },
    ),
    exec(
      mediaTools.ffmpegPath,
      ['-v', 'error', '-noautorotate', '-i', file, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'],
      { maxBuffer: 2 ** 27 },
    ),
  ])
  const { streams, packets, format } = probed.parse(JSON.parse(read.stdout))
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const rotation = video?.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const [width, height] = rotation % 180 === 0 ? [video?.width, video?.height] : [video?.height, video?.width]
  const pictures = packets.filter(({ codec_type }) => codec_type === 'video')
  return {
    codec: video?.codec_name,
    rotation,
    size: `${width}x${height}`,
    startSeconds: format.start_time,
    endSeconds: format.start_time + format.duration,
    frames: pictures
      .filter(({ flags }) => !flags.includes('D'))
      .map(({ pts_time, flags, data_hash }) => ({ pts: pts_time, isKeyframe: flags.includes('K'), bytes: data_hash }))
      .toSorted((a, b) => a.pts - b.pts),
    stored: pictures.map(({ data_hash }) => data_hash),
    pictures: decoded.stdout
      .split('\n')
      .flatMap((line) => (/^\d/.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : [])),
    problems: decoded.stderr,
  }
}
