import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { dropShorterThan, durationOf, pad, type Segment, subtract } from '../../src/core/segments.ts'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import { checkMedia, type MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { shortestWindowSeconds } from '../../src/endpoints/parse-settings.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { describeExport, editsOf, mediaFrames } from '../../src/exports/export-document.ts'
import { exportFormatNames, exportFormats } from '../../src/exports/export-formats.ts'
import { madeFoundFrames } from '../../src/media/frames/find-frames.ts'
import { readScreen } from '../../src/media/frames/text-reader.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { measuredEnvelopes } from '../../src/media/sound/envelopes.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { tagTrack } from '../../src/media/speech/tag-track.ts'
import { measuredTopicGaps } from '../../src/media/speech/topic-gaps.ts'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { madeAnalyses } from '../../src/media/track-analyses.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { type BareFile, type BareTools, decodes, picturesIn, probeFile, silencesIn, soundIn } from './bare.ts'

export interface Verdict {
  /** `unreadable`: neither the service nor ffmpeg reads it. `refused`: only the service does not. */
  readonly outcome: 'ok' | 'unreadable' | 'refused' | 'wrong'
  /** Container and codecs, as ffprobe names them. */
  readonly what: string
  readonly problems: readonly string[]
}

interface Checking {
  readonly ffmpeg: Ffmpeg
  readonly bare: BareTools
  readonly file: string
  readonly info: MediaInfo
  readonly truth: BareFile
  readonly workDir: string
}

/** Runs inspection, detection, a clip in each mode and all exports on a file, and compares each with bare ffprobe and ffmpeg. */
export async function checkFile(file: string, ffmpeg: Ffmpeg, bare: BareTools, folder: string): Promise<Verdict> {
  const truth = await probeFile(bare, file).catch(() => undefined)
  const codecs = [...(truth?.audio ?? []), ...(truth?.video ? [truth.video] : [])].map(({ codec_name }) => codec_name)
  const what = truth ? `${truth.formatName}: ${codecs.join(', ') || 'no track'}` : 'nothing'
  const workDir = mkdtempSync(path.join(folder, 'file-'))
  try {
    const info = await inspectMedia(await fileSource(file), ffmpeg, never)
    if (!truth) return { outcome: 'wrong', what, problems: ['inspection: reads what ffprobe refuses'] }
    const checking = { ffmpeg, bare, file, info, truth, workDir }
    const problems = [...checkInspection(checking), ...(await checkRuns(checking))]
    const isUndecodable = problems.some((each) => each.includes(undecodable)) && !(await decodes(bare, truth))
    if (isUndecodable) return { outcome: 'unreadable', what, problems: problems.slice(0, 1) }
    return { outcome: problems.every((each) => each.includes(warned)) ? 'ok' : 'wrong', what, problems }
  } catch (error) {
    const outcome = truth && (await decodes(bare, truth)) ? 'refused' : 'unreadable'
    return { outcome: error instanceof ServiceError ? outcome : 'wrong', what, problems: [describe(error)] }
  } finally {
    rmSync(workDir, { recursive: true })
  }
}

const undecodable = 'processing_failed'

function describe(error: unknown): string {
  return error instanceof ServiceError ? `${error.code}: ${error.message}` : String(error)
}

const never = new AbortController().signal

function checkInspection({ info, truth }: Checking): string[] {
  const { video } = truth
  const turned = video?.side_data_list.some(({ rotation = 0 }) => rotation % 180 !== 0)
  const size = (across = 0, down = 0) => `${across}x${down}`
  const heard = truth.audio.slice(0, 8).map((each) => each.codec_name)
  const seen = turned ? size(video?.height, video?.width) : size(video?.width, video?.height)
  const pairs = [
    ['audio', info.audio.map(({ codec }) => codec).join(), heard.join()],
    ['video', info.video?.codec ?? 'none', video?.codec_name ?? 'none'],
    ['size', size(info.video?.width, info.video?.height), seen],
  ] as const
  const length = Math.abs(info.durationSeconds - truth.seconds)
  return [
    ...pairs.flatMap(([name, ours, bare]) => (ours === bare ? [] : [`${name}: ${ours} instead of ${bare}`])),
    ...(length > 0.05 ? [`length: ${info.durationSeconds.toFixed(3)} s instead of ${truth.seconds.toFixed(3)} s`] : []),
  ]
}

async function checkRuns(checking: Checking): Promise<string[]> {
  const problems: string[] = []
  const attempt = async (name: string, check: () => Promise<readonly string[]>) => {
    const found = await check().catch((error: unknown) => [describe(error)])
    problems.push(...found.map((problem) => `${name}: ${problem}`))
  }
  let silences: Segment[] = []
  // No job takes so little.
  if (checking.info.durationSeconds < shortestWindowSeconds) return problems
  if (checking.info.audio.length > 0) {
    await attempt('silence', async () => {
      silences = await silencesOf(checking)
      return checkSilences(checking, silences)
    })
  }
  await attempt('exports', async () => checkExports(checking, silences))
  const middle = checking.info.durationSeconds / 2
  const window =
    middle > 1.5 ? { start: round(middle - 0.5), end: round(middle + 0.5) } : { start: 0, end: round(middle * 2) }
  for (const mode of ['exact', 'smart', 'copy'] as const) await attempt(mode, () => checkClip(checking, window, mode))
  return problems
}

function round(seconds: number): number {
  return Math.floor(seconds * 1000) / 1000
}

const asked = { thresholdDb: -40, minSeconds: 0.2 }

const silenceResult = z.object({ silences: z.array(z.object({ start: z.number(), end: z.number() })) })

async function silencesOf(checking: Checking): Promise<Segment[]> {
  const settings = { threshold: asked.thresholdDb, min_silence_seconds: asked.minSeconds }
  return silenceResult.parse((await runEndpoint(checking, detectSilenceEndpoint, undefined, settings)).result).silences
}

async function checkSilences({ info, bare, truth }: Checking, found: readonly Segment[]): Promise<string[]> {
  const track = Math.max(
    0,
    info.audio.findIndex(({ isDefault }) => isDefault),
  )
  const expected = await silencesIn(bare, truth, { track, ...asked })
  const missing = (from: readonly Segment[], others: readonly Segment[]) => {
    const long = from.filter((each) => durationOf(each) > asked.minSeconds + 0.05)
    const left = subtract(long, pad(others, 0.03, { start: -1, end: info.durationSeconds + 1 }))
    return dropShorterThan(left, 0.02)
  }
  return [
    ...missing(expected, found).map((each) => `silent for ffmpeg, not here: ${timesOf(each)}`),
    ...missing(found, expected).map((each) => `silent here, not for ffmpeg: ${timesOf(each)}`),
  ].slice(0, 3)
}

function timesOf({ start, end }: Segment): string {
  return `${start.toFixed(3)} to ${end.toFixed(3)} s`
}

function checkExports({ info, file }: Checking, silences: readonly Segment[]): string[] {
  const whole = { start: 0, end: info.durationSeconds }
  const entries = (silences.length > 0 ? silences : [whole]).map((each) => ({ ...each, label: 'one' }))
  const document = describeExport({ mediaName: path.basename(file), entries, media: info, rate: undefined })
  const last = mediaFrames(document)
  const outside = editsOf(document).filter(({ sourceStart, sourceEnd }) => sourceStart < 0 || sourceEnd > last)
  const texts = exportFormatNames.map((name) => ({ name, text: [...exportFormats[name].write(document)].join('') }))
  return [
    ...(outside.length > 0 ? ['edits outside of the media'] : []),
    ...texts.flatMap(({ name, text }) =>
      text === '' || /NaN|undefined|Infinity/.test(text) ? [`${name} is broken`] : [],
    ),
  ]
}

const span = z.object({ start: z.number(), end: z.number() })
const clipResult = z.object({ receipt: z.object({ presented: span, mode: z.string() }) })

/** Compares the frames and the sound of a clip with the same part of the source. */
async function checkClip(checking: Checking, window: Segment, mode: string): Promise<string[]> {
  const { bare, truth } = checking
  const output = await runEndpoint(checking, clipWindowEndpoint, window, { mode, quality: 'fast' })
  const { receipt } = clipResult.parse(output.result)
  const isCopied = receipt.mode === 'copy'
  const clip = await probeFile(bare, output.files[0]?.path ?? '')
  const moved = Math.abs(receipt.presented.start - window.start)
  const problems = [
    ...(!isCopied && moved > 0.1 ? [`starts ${moved.toFixed(3)} s from the start asked for`] : []),
    // Sound alone can begin with its first packet, and with the delay of a decoder.
    ...(isCopied && receipt.presented.start > window.start + 0.07 ? ['starts after the start asked for'] : []),
    ...(truth.video
      ? await comparePictures(checking, clip, receipt.presented, isCopied ? receipt.presented : window)
      : []),
    ...(truth.audio.length > 0 ? await compareSound(checking, clip, receipt.presented) : []),
  ]
  return problems.map((problem) => ((output.warnings ?? []).length > 0 ? `${warned}${problem}` : problem))
}

/** Of what the job says too. */
const warned = 'warned: '

async function comparePictures({ bare, truth }: Checking, clip: BareFile, presented: Segment, part: Segment) {
  if (!clip.video) return ['no picture']
  const isCopied = part === presented
  const first = truth.frameTimes.findIndex((time) => time >= part.start - 0.0005)
  const [held = 0, next = 0] = truth.frameTimes.slice(Math.max(0, first - 1))
  // A slide from before is shown until the next one.
  const start = first > 0 && next - part.start > 0.1 ? held : part.start
  const shown = await picturesIn(bare, truth, { start, end: part.end })
  const made = await picturesIn(bare, clip, { start: -1, end: clip.seconds + 1 })
  // Copied pictures begin and end where the packets allow.
  if (Math.abs(made.length - shown.length) > (isCopied ? 3 : 0))
    return [`${made.length} frames instead of ${shown.length}`]
  const worst = Math.max(
    ...shown.slice(0, made.length).map((picture, index) => meanDifference(picture, made[index] ?? picture)),
  )
  const times = truth.frameTimes.filter((time) => time >= start - 0.0005 && time < part.end - 0.0005).slice(1)
  const late = times.map((time, index) => (clip.frameTimes[index + 1] ?? time) - (time - presented.start))
  const latest = late.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0)
  return [
    ...(worst > 16 && !isCopied ? [`a picture differs by ${worst.toFixed(0)} of 255`] : []),
    ...(Math.abs(latest) > 0.021 && !isCopied ? [`a picture is ${Math.round(latest * 1000)} ms late`] : []),
  ]
}

function meanDifference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length
}

async function compareSound({ bare, truth }: Checking, clip: BareFile, { start, end }: Segment): Promise<string[]> {
  if (clip.audio.length === 0) return ['no sound']
  const from = Math.max(0, start)
  const source = await soundIn(bare, truth, 0, { start: from, end })
  const made = await soundIn(bare, clip, 0, { start: from - start, end: end - start })
  const { shift, likeness } = bestShift(source, made)
  if (likeness < 0.7) return [`the sound differs (${likeness.toFixed(2)})`]
  return Math.abs(shift) > 80 ? [`the sound is ${shift / 8} ms late`] : []
}

/** By how many samples `made` is late, at most 100 ms, and how like `source` it then is, up to 1. Silence is like anything. */
function bestShift(source: Int16Array, made: Int16Array) {
  const most = 800
  const power = (samples: Int16Array) => samples.reduce((sum, value) => sum + value ** 2, 0)
  const scale = Math.sqrt(power(source) * power(made))
  if (power(source) < source.length * 100 && power(made) < made.length * 400) return { shift: 0, likeness: 1 }
  let best = { shift: 0, likeness: -1 }
  for (let turn = 0; turn <= 2 * most; turn++) {
    const shift = (turn % 2 === 0 ? 1 : -1) * Math.ceil(turn / 2)
    let sum = 0
    for (let at = Math.max(0, -shift); at < source.length && at + shift < made.length; at++)
      sum += (source[at] ?? 0) * (made[at + shift] ?? 0)
    const likeness = scale > 0 ? sum / scale : 0
    // The smallest of nearly equal ones: a tone is like itself after each of its periods.
    if (likeness > best.likeness + 0.001) best = { shift, likeness }
  }
  return best
}

const noModels = createModelPool({ modelsDir: undefined, size: 1 }).modelsFor(never)

/** Runs an endpoint as a job does, without models and without a store. */
async function runEndpoint(
  { ffmpeg, file, info, workDir }: Checking,
  endpoint: MediaEndpoint,
  part: Segment | undefined,
  settings: object,
) {
  const window = { startSeconds: part?.start ?? null, endSeconds: part?.end ?? null }
  checkMedia(endpoint, { ...window, settings }, info)
  const media = { info, open: () => fileSource(file) }
  const tools = { media, ffmpeg, cores: createCores(1), models: noModels, signal: never }
  return endpoint.run({
    ...tools,
    envelopes: measuredEnvelopes(tools),
    transcripts: madeAnalyses(tools, transcribeTrack),
    soundTags: madeAnalyses(tools, tagTrack),
    topicGaps: measuredTopicGaps(tools),
    screenTexts: madeAnalyses(tools, readScreen),
    foundFrames: madeFoundFrames({ ...tools, workDir }),
    pieces: { restore: async () => undefined, save: async () => {} },
    uploadedPicture: async (id) => id,
    brand: async (id) => {
      throw new Error(`no brand ${id}`)
    },
    earlierResult: async () => undefined,
    earlierWords: async () => ({ words: [] }),
    otherMedia: async () => undefined,
    ...{ window, settings, workDir },
    reportProgress: () => {},
  })
}
