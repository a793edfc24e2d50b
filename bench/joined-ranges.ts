import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Segment } from '../src/core/segments.ts'
import { audioEncoder, videoEncoder } from '../src/media/encoders.ts'
import { createFfmpeg } from '../src/media/ffmpeg.ts'
import { joinRanges } from '../src/media/join.ts'
import { readTracks } from '../src/media/tracks.ts'

// Joined ranges beside a bare encode of as much output with the same encoder settings, one after the other in turns.
// FFMPEG_PATH and FFPROBE_PATH name the tools; arguments: a film, how many ranges, how many turns.

const [film = '', count = '293', turns = '3'] = process.argv.slice(2)
const { FFMPEG_PATH: ffmpegPath = 'ffmpeg', FFPROBE_PATH: ffprobePath = 'ffprobe' } = process.env
const quality = 'balanced'
const folder = await mkdtemp(path.join(tmpdir(), 'joined-ranges-'))
const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, processDir: path.join(folder, 'processes') })
const signal = new AbortController().signal

const source = await readTracks({ path: film, format: 'mp4' }, ffmpeg, signal)
const [audio] = source.audio
const { video } = source
if (!audio || !video) throw new Error('the film needs a picture and a sound')
const step = source.durationSeconds / Number(count)
const ranges: Segment[] = Array.from({ length: Number(count) }, (_, index) => ({
  start: index * step + 0.0137,
  end: index * step + step * 0.814,
}))
const seconds = ranges.reduce((sum, { start, end }) => sum + end - start, 0)

/** Seconds on the clock, and of the processors: this process and those that it ran. */
async function timed(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [start, cpu] = [performance.now(), await cpuSeconds()]
  await work()
  return { wall: (performance.now() - start) / 1000, cpu: (await cpuSeconds()) - cpu }
}

async function cpuSeconds(): Promise<number> {
  const fields = (await readFile('/proc/self/stat', 'utf8')).replace(/^.*\) /, '').split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

const bare = () =>
  promisify(execFile)(ffmpegPath, [
    ...[
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-threads',
      '2',
      '-i',
      film,
      '-t',
      String(seconds),
      '-map',
      '0:v:0',
      '-map',
      '0:a:0',
    ],
    ...['-pix_fmt', 'yuv420p', ...videoEncoder('h264', quality, false), ...audioEncoder('aac', audio, 0, quality)],
    ...['-movflags', '+faststart', path.join(folder, 'bare.mp4')],
  ])

const joined = async () => {
  const outputPath = path.join(folder, 'clip.mp4')
  const clip = await joinRanges({
    ...{ source, ranges, format: 'mp4', quality, audioOnly: false, fadeSeconds: 0.005, outputPath, ffmpeg, signal },
    onProgress: () => {},
  })
  const { driftSeconds, audioVideoOffsetSeconds, framesEncoded } = clip.receipt
  console.log({ driftSeconds, audioVideoOffsetSeconds, framesEncoded })
}

/** The largest resident sets of the processes that run below this one, in MiB. */
const peaks = new Map<number, number>()
const watching = setInterval(() => void noteChildren(), 500)

async function noteChildren(): Promise<void> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')
  for (const pid of children.split(' ').filter(Boolean)) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(status) ?? []
    peaks.set(Number(pid), Math.max(peaks.get(Number(pid)) ?? 0, Math.round(Number(kilobytes) / 1024)))
  }
}

for (let turn = 0; turn < Number(turns); turn++) {
  peaks.clear()
  const bareTime = await timed(bare)
  const bareMebibytes = Math.max(...peaks.values())
  peaks.clear()
  const joinedTime = await timed(joined)
  const joinedMebibytes = [...peaks.values()].toSorted((a, b) => b - a).slice(0, 4)
  const nodeMebibytes = Math.round(process.memoryUsage().rss / 2 ** 20)
  const ratio = { wall: joinedTime.wall / bareTime.wall, cpu: joinedTime.cpu / bareTime.cpu }
  console.log({ ratio, bareTime, joinedTime, bareMebibytes, joinedMebibytes, nodeMebibytes })
}
clearInterval(watching)
await rm(folder, { recursive: true })
