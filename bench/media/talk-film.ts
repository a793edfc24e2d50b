import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Segment } from '../../src/core/segments.ts'
import { planTalk, type TalkPlan } from './talk-plan.ts'

export interface TalkFilm {
  /** 1080p30 H.264 at 3.9 Mbit/s with stereo AAC, as MP4 with its index first. */
  readonly film: string
  /** The same at 360p. */
  readonly smallFilm: string
  /** Only the sound, as M4A. */
  readonly sound: string
  readonly seconds: number
  /** The pauses of half a second or longer, known by construction. */
  readonly pauses: readonly Segment[]
}

const length = { seconds: 3_600, pauses: 293 }
const rate = 48_000
/** −29 dBFS. Phrases start and end well above the silence threshold, so that an encoder's error moves no edge. */
const quietBelow = 1_166
const shortestBreakSeconds = 0.15
const loopSeconds = 60
const sizes = {
  film: ['-s', '1920x1080', '-b:v', '3730k', '-maxrate', '3730k', '-bufsize', '3730k'],
  smallFilm: ['-s', '640x360', '-b:v', '600k', '-maxrate', '600k', '-bufsize', '600k'],
}

/**
 * An hour of talk, made of the phrases of a recording with pauses of many lengths between them. Created once for each
 * build of ffmpeg, in some minutes, and stored in the system's temporary folder.
 */
export async function talkFilm(ffmpegPath: string, recording: string): Promise<TalkFilm> {
  const phrases = phrasesOf(await samplesOf(ffmpegPath, recording))
  const plan = planTalk(
    phrases.map(({ length: samples }) => samples / rate),
    length,
  )
  const key = createHash('sha256')
    .update(JSON.stringify([ffmpegPath, sizes, plan]))
    .digest('hex')
    .slice(0, 12)
  const folder = path.join(tmpdir(), 'media-timeline-talk', key)
  const inFolder = (parent: string) => ({
    film: path.join(parent, 'talk-1080p.mp4'),
    smallFilm: path.join(parent, 'talk-360p.mp4'),
    sound: path.join(parent, 'talk.m4a'),
  })
  if (!existsSync(folder)) {
    await mkdir(path.dirname(folder), { recursive: true })
    const making = await mkdtemp(`${folder}-`)
    try {
      const { sound, ...films } = inFolder(making)
      await encodeSound(ffmpegPath, phrases, plan, sound)
      await encodeFilm(ffmpegPath, sizes.film, sound, films.film)
      await encodeFilm(ffmpegPath, sizes.smallFilm, sound, films.smallFilm)
      await rename(making, folder)
    } finally {
      await rm(making, { recursive: true, force: true })
    }
  }
  return { ...inFolder(folder), seconds: length.seconds, pauses: plan.pauses }
}

async function samplesOf(ffmpegPath: string, recording: string): Promise<Int16Array> {
  const { stdout } = await promisify(execFile)(
    ffmpegPath,
    ['-nostdin', '-v', 'error', '-i', recording, '-ar', String(rate), '-ac', '1', '-f', 's16le', '-'],
    { encoding: 'buffer', maxBuffer: 2 ** 28 },
  )
  return new Int16Array(new Uint8Array(stdout).buffer)
}

/** The parts between the breaks of the recording, each from its first loud sample to its last. */
function phrasesOf(samples: Int16Array): Int16Array[] {
  const phrases: Int16Array[] = []
  let start: number | undefined
  let end = 0
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < quietBelow) continue
    if (start !== undefined && at - end >= shortestBreakSeconds * rate) {
      phrases.push(samples.subarray(start, end))
      start = undefined
    }
    start ??= at
    end = at + 1
  }
  return start === undefined ? phrases : [...phrases, samples.subarray(start, end)]
}

async function encodeSound(ffmpegPath: string, phrases: Int16Array[], plan: TalkPlan, output: string): Promise<void> {
  const input = ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0']
  const child = spawn(
    ffmpegPath,
    ['-v', 'error', ...input, '-ac', '2', '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', output],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  await pipeline(Readable.from(talk(phrases, plan)), child.stdin)
  const code = await exit
  if (code !== 0) throw new Error(`the sound was not encoded: code ${code}`)
}

function* talk(phrases: readonly Int16Array[], plan: TalkPlan): Generator<Buffer> {
  let at = 0
  const total = length.seconds * rate
  for (const { phrase, startSeconds } of plan.phrases) {
    const start = Math.min(Math.round(startSeconds * rate), total)
    const samples = phrases[phrase]?.subarray(0, total - start) ?? new Int16Array(0)
    yield Buffer.alloc((start - at) * 2)
    yield Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    at = start + samples.length
  }
}

/** Repeats a minute of moving picture: decoding it takes as long as decoding an hour of different pictures. */
async function encodeFilm(ffmpegPath: string, size: readonly string[], sound: string, output: string): Promise<void> {
  const run = (...args: string[]) => promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', ...args])
  const minute = `${output}.minute.mp4`
  const picture = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=1280x720:rate=30:duration=${loopSeconds}`,
    '-vf',
    'noise=alls=12:allf=t',
  ]
  const coding = ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '60', '-pix_fmt', 'yuv420p']
  await run(...picture, ...size, ...coding, minute)
  await run(
    ...['-stream_loop', String(length.seconds / loopSeconds - 1), '-i', minute, '-i', sound],
    ...['-map', '0:v', '-map', '1:a', '-c', 'copy', '-movflags', '+faststart', output],
  )
  await rm(minute)
}
