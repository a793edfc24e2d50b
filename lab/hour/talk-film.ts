import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { clampTo, complement, type Segment } from '../../src/core/segments.ts'

export interface TalkFilm {
  /** 1080p30 H.264 at 3.9 Mbit/s with stereo AAC, as MP4 with its index first. */
  readonly film: string
  /** The same at 360p. */
  readonly smallFilm: string
  readonly seconds: number
  /** The pauses of half a second or longer, known by construction. */
  readonly pauses: readonly Segment[]
}

/** The talk up to `endSeconds`, without its pauses. */
export function withoutPauses({ pauses, seconds }: TalkFilm, endSeconds: number): Segment[] {
  return clampTo(complement(pauses, { start: 0, end: seconds }), { start: 0, end: endSeconds })
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
  const ended = once(child, 'close')
  await pipeline(Readable.from(talk(phrases, plan)), child.stdin)
  await ended
  if (child.exitCode !== 0) throw new Error(`the sound was not encoded: code ${child.exitCode}`)
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
  const pattern = `testsrc2=size=1280x720:rate=30:duration=${loopSeconds}`
  const picture = ['-f', 'lavfi', '-i', pattern, '-vf', 'noise=alls=12:allf=t']
  const coding = ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '60', '-pix_fmt', 'yuv420p']
  await run(...picture, ...size, ...coding, minute)
  await run(
    ...['-stream_loop', String(length.seconds / loopSeconds - 1), '-i', minute, '-i', sound],
    ...['-map', '0:v', '-map', '1:a', '-c', 'copy', '-movflags', '+faststart', output],
  )
  await rm(minute)
}

interface TalkPlan {
  /** The recorded phrases and their start times. */
  readonly phrases: readonly { readonly phrase: number; readonly startSeconds: number }[]
  /** Pauses of 0.6 s or more each; the gaps between other phrases are at most a third of a second. */
  readonly pauses: readonly Segment[]
}

const gapSeconds = { shortest: 0.16, longest: 0.32 }
const pauseSeconds = { shortest: 0.6, longest: 1.8 }

/** A talk of recorded phrases and pauses, the same at every call. Its last phrase can extend past the end. */
export function planTalk(phraseSeconds: readonly number[], talk: typeof length): TalkPlan {
  const random = seeded(5)
  const between = ({ shortest, longest }: typeof gapSeconds) =>
    toMillisecond(shortest + random() * (longest - shortest))
  const meanPause = (pauseSeconds.shortest + pauseSeconds.longest) / 2
  const partSeconds = (talk.seconds - talk.pauses * meanPause) / (talk.pauses + 1)
  const phrases: { phrase: number; startSeconds: number }[] = []
  const pauses: Segment[] = []
  let at = 0
  const speak = () => {
    const phrase = Math.floor(random() * phraseSeconds.length)
    phrases.push({ phrase, startSeconds: at })
    at = toMillisecond(at + (phraseSeconds[phrase] ?? 0))
  }
  for (let left = talk.pauses; left >= 0; left--) {
    // Absolute times, so that a longer part makes the next one shorter.
    const partEnd = talk.seconds - left * (partSeconds + meanPause)
    speak()
    while (at < partEnd) {
      at = toMillisecond(at + between(gapSeconds))
      speak()
    }
    if (left === 0) break
    const pause = { start: at, end: toMillisecond(at + between(pauseSeconds)) }
    pauses.push(pause)
    at = pause.end
  }
  return { phrases, pauses }
}

/** A whole number of samples at every rate in use. */
function toMillisecond(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
