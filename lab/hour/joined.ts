import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { durationOf } from '../../src/core/segments.ts'
import { audioEncoder, videoEncoder } from '../../src/media/clip/encoders.ts'
import { joinRanges } from '../../src/media/clip/join.ts'
import { leadBudget } from '../../src/media/clip/lead-budget.ts'
import { nothingKept } from '../../src/media/clip/picture-filters.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { asSeconds, describeFigures, timed } from '../figures.ts'
import type { HourOfFilm } from './hour.ts'
import { withoutPauses } from './talk-film.ts'

const quality = 'balanced'

/** Takes the pauses out of the talk, at 360p and at 1080p, beside a bare encode of the same length with the same encoders and settings. */
export async function measureJoined(hour: HourOfFilm): Promise<string> {
  const { talk } = hour
  // Ten minutes of output are enough at 1080p.
  return `${await joinTalk(hour, talk.smallFilm, talk.seconds)}\n${await joinTalk(hour, talk.film, 735)}`
}

async function joinTalk(hour: HourOfFilm, file: string, endSeconds: number): Promise<string> {
  const { ffmpeg, ffmpegPath, cores, folder, memory, talk } = hour
  const ranges = withoutPauses(talk, endSeconds)
  const { signal } = new AbortController()
  const tracks = await readTracks((await fileSource(file)).input('mp4'), ffmpeg, signal)
  const [audio] = tracks.audio
  const { video } = tracks
  if (!audio || !video) throw new Error('the film needs a picture and a sound')
  const outputSeconds = ranges.reduce((sum, range) => sum + durationOf(range), 0)
  const bareMs = await timed(() =>
    promisify(execFile)(ffmpegPath, [
      ...['-nostdin', '-v', 'error', '-y', '-threads', '2', '-i', file, '-t', String(outputSeconds)],
      ...['-map', '0:v:0', '-map', '0:a:0', '-pix_fmt', 'yuv420p'],
      ...[...videoEncoder('h264', quality, false, nothingKept), ...audioEncoder('aac', audio, 0, quality)],
      ...['-movflags', '+faststart', path.join(folder, 'bare.mp4')],
    ]),
  )
  memory.forget()
  let driftMs = 0
  const joinedMs = await timed(async () => {
    const { receipt } = await joinRanges({
      ...{ tracks, ranges, format: 'mp4', quality, audioOnly: false, leadBudget: leadBudget(0), fadeSeconds: 0.005 },
      ...{ loudnessLufs: null, ffmpeg, signal, outputPath: path.join(folder, 'clip.mp4'), onProgress: () => {} },
      concurrency: Math.max(1, Math.floor(cores / 2)),
    })
    driftMs = Math.abs(receipt.driftSeconds) * 1000
  })
  const figures = [
    { name: `${ranges.length} ranges : bare encode`, value: joinedMs / bareMs, goal: 1.15, unit: '×' },
    { name: 'drift at the end', value: driftMs, goal: 1000 / video.frameRate, unit: 'ms' },
    { name: 'largest resident set of an ffmpeg', value: memory.peak('ffmpeg'), goal: 400, unit: 'MiB' },
  ]
  return `## Joined ranges at ${video.height}p

${ranges.length} ranges, ${(outputSeconds / 60).toFixed(1)} minutes of output, in ${asSeconds(joinedMs)} s; a bare encode of as much output by the
same ffmpeg with the same settings took ${asSeconds(bareMs)} s.

${describeFigures(figures)}
`
}
