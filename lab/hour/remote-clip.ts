import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { audioEncoder, videoEncoder } from '../../src/media/clip/encoders.ts'
import { nothingKept } from '../../src/media/clip/picture-filters.ts'
import { describeFigures, inTurns } from '../figures.ts'
import { timeJob, withLabStack } from '../lab-stack.ts'
import { serveFilm } from './film-server.ts'
import type { HourOfFilm } from './hour.ts'

const start = 1_800.5
const seconds = 10
/** Each round takes seconds, and the machine's noise exceeds the margin to the goal. */
const rounds = 5
const clipResult = z.object({ receipt: z.object({ frames_encoded: z.int(), bytes_read: z.int() }) })

/** Cuts ten seconds from the middle of the film on a server: a job, beside bare ffmpeg with the same URL and encoders. */
export async function measureRemoteClip({ context, talk, folder, ffmpegPath }: HourOfFilm): Promise<string> {
  const server = await serveFilm(talk.film, 100e6)
  const env = { ...noQuotas, MEDIA_ALLOW_HOSTS: server.host }
  const sound = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true, streamIndex: 1 }
  const audio = { ...sound, timeBase: '1/48000', endSeconds: talk.seconds }
  try {
    return await withLabStack(context, { folder, env }, async ({ newClient }) => {
      const client = await newClient({ hasBilling: true })
      let [frames, readBytes, sentBytes] = [0, 0, 0]
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
          const { milliseconds, result } = await timeJob(client, {
            ...{ endpoint: 'video/clip-window', media_url, start, end: start + seconds },
          })
          const { receipt } = clipResult.parse(result)
          ;[frames, readBytes, sentBytes] = [receipt.frames_encoded, receipt.bytes_read, server.takeSentBytes()]
          return milliseconds
        },
      })
      const figures = [
        { name: '10 s clip over HTTP : bare re-encode', value: times('job') / times('bare'), goal: 1.15, unit: '×' },
        { name: '10 s clip over HTTP, read', value: readBytes / 1e6, goal: 20, unit: 'MB' },
      ]
      return `## A clip of a film on a server

${describeFigures(figures)}

For ${frames} frames, the server had sent ${(sentBytes / 1e6).toFixed(0)} MB, with what was on its way when the reader had enough.
`
    })
  } finally {
    await server.close()
  }
}
