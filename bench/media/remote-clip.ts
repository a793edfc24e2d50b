import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '../../scripts/client.ts'
import { audioEncoder, videoEncoder } from '../../src/media/clip/encoders.ts'
import { nothingKept } from '../../src/media/clip/picture-filters.ts'
import type { FilmServer } from './film-server.ts'
import { inTurns, type Times } from './in-turns.ts'
import { clipResult, timeJob } from './jobs.ts'

export interface RemoteClip {
  readonly times: Times<'bare' | 'job'>
  readonly frames: number
  readonly readBytes: number
  readonly sentBytes: number
}

const start = 1_800.5
const seconds = 10

/** Cuts ten seconds from the middle of a film on a server: a job, beside bare ffmpeg with the same URL and encoders. */
export async function measureRemoteClip(
  client: Client,
  server: FilmServer,
  ffmpegPath: string,
  rounds: number,
): Promise<RemoteClip> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-clip-'))
  const audio = {
    codec: 'aac',
    sampleRate: 48_000,
    channels: 2,
    isDefault: true,
    streamIndex: 1,
    timeBase: '1/48000',
    endSeconds: 3_600,
  }
  let last: { frames: number; readBytes: number; sentBytes: number } | undefined
  try {
    const times = await inTurns(rounds, {
      bare: () =>
        promisify(execFile)(ffmpegPath, [
          ...['-nostdin', '-v', 'error', '-y', '-threads', '2', '-ss', String(start), '-i', server.url('bare.mp4')],
          ...['-t', String(seconds), '-map', '0:v:0', '-map', '0:a:0', '-pix_fmt', 'yuv420p'],
          ...[...videoEncoder('h264', 'balanced', false, nothingKept), ...audioEncoder('aac', audio, 0, 'balanced')],
          ...['-movflags', '+faststart', path.join(folder, 'bare.mp4')],
        ]),
      job: async (round) => {
        server.takeSentBytes()
        const media_url = server.url(`clip-${round}.mp4`)
        const job = { endpoint: 'video/clip-window', media_url, start, end: start + seconds }
        const { milliseconds, result } = await timeJob(client, job)
        const { receipt } = clipResult.parse(result)
        last = {
          frames: receipt.frames_encoded,
          readBytes: receipt.bytes_read ?? Number.NaN,
          sentBytes: server.takeSentBytes(),
        }
        return milliseconds
      },
    })
    if (!last) throw new Error('no rounds')
    return { times, ...last }
  } finally {
    await rm(folder, { recursive: true })
  }
}
