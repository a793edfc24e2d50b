import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { OpenBrand } from '../core/brand.ts'
import {
  type CaptionLook,
  type Cue,
  type PlacedCues,
  placeCues,
  placeWords,
  readCaptions,
  type ShownRange,
  spokenLengths,
  subRip,
  webVtt,
} from '../core/captions.ts'
import { invalidRequest, ServiceError } from '../core/errors.ts'
import type { Passage } from '../core/passages.ts'
import { otherLength } from '../core/same-media.ts'
import type { Segment } from '../core/segments.ts'
import { spokenCaptions, subtitlesOf } from '../core/sentences.ts'
import { maxSeconds } from '../core/time-code.ts'
import { captionFont, ownFont } from '../media/captions/caption-painter.ts'
import type { Clip } from '../media/clip/clip-receipt.ts'
import { leadBudget } from '../media/clip/lead-budget.ts'
import type { ClipLogo } from '../media/clip/logo.ts'
import { copyBudget } from '../media/copying/copy-bounds.ts'
import { type ModeInput, makeClip } from '../media/copying/make-clip.ts'
import { type CropFocus, cropFollower } from '../media/frames/follow-subject.ts'
import { openPicture, writePixels } from '../media/frames/uploaded-picture.ts'
import { sourceTracks } from '../media/inspect/tracks.ts'
import { spokenWords } from '../models/models.ts'
import type { CaptionsSetting } from './fields.ts'
import { warnOfOtherMedia } from './format.ts'
import {
  billedMilliseconds,
  type ClipSettings,
  cutOptions,
  gatherWarnings,
  presentFiles,
  presentReceipt,
} from './present-receipt.ts'
import type { OutputFile, RunContext } from './run-contract.ts'

// What the jobs of both clip endpoints share.

type ClipContext = Pick<
  RunContext<ClipSettings>,
  | 'media'
  | 'settings'
  | 'models'
  | 'ffmpeg'
  | 'signal'
  | 'workDir'
  | 'screenTexts'
  | 'earlierResult'
  | 'earlierWords'
  | 'otherMedia'
  | 'brand'
>

/**
 * The source, and what decides every clip of it but its times. `warnings` are about the captions, and `named` is what receipts say beside
 * how their clip was made.
 */
export async function openClip(context: ClipContext) {
  const { media, settings, models, ffmpeg, signal } = context
  const options = cutOptions(settings, media.info)
  const brand = settings.brand === undefined ? undefined : await context.brand(settings.brand)
  const captions = await captionsFor(context, brand)
  const logo = brand ? await logoOf(context, brand) : null
  const source = await media.open()
  const tracks = await sourceTracks(source, media.info.format, ffmpeg, signal)
  return {
    source,
    tracks,
    warnings: captions?.warnings ?? [],
    named: brand ? { brand: { id: brand.id, name: brand.name } } : {},
    clip: {
      tracks,
      ...options,
      captions: captions?.request ?? null,
      logo,
      follower: cropFollower({ tracks, models, ffmpeg, screenTexts: context.screenTexts }, focusOf(settings)),
      copyBudget: copyBudget(source.bytes),
      leadBudget: leadBudget(media.info.durationSeconds),
      ffmpeg,
      signal,
    },
  }
}

async function captionsFor(context: ClipContext, brand: OpenBrand | undefined) {
  const { captions } = context.settings
  if (!captions) return undefined
  const { job_id: jobId, text, as, style } = captions
  const look = as === 'burn' ? lookOf(captions, brand) : null
  const fontPath = brand?.font?.path
  const place =
    jobId === undefined
      ? placeText(text ?? '')
      : placeTranscript(await wordsOf(context, jobId), look ? spokenLengths[style] : undefined)
  const request = { look, font: fontPath === undefined ? undefined : ownFont(fontPath), place: place.in }
  const other = jobId === undefined ? undefined : await context.otherMedia(jobId)
  return {
    request,
    warnings: [
      ...warnOfOtherMedia('captions', other, 'clip'),
      ...(look ? await warnOfCharacters(place.text, fontPath) : []),
    ],
  }
}

/** What the settings ask for, then what the brand says. */
function lookOf(captions: CaptionsSetting, brand: OpenBrand | undefined): CaptionLook {
  const { style, position, safe_area: safeArea, colour, highlight_colour: highlightColour } = captions
  return {
    ...{ style, position, safeArea },
    margins: brand?.look.margins ?? undefined,
    colour: colour ?? brand?.look.colour ?? '#ffffff',
    highlightColour: highlightColour ?? brand?.look.highlightColour ?? '#ffd400',
    boxColour: brand?.look.boxColour ?? undefined,
    fontUploadId: brand?.font?.uploadId,
  }
}

async function logoOf(
  { settings: { captions }, ffmpeg, signal, workDir }: ClipContext,
  { logo, look }: OpenBrand,
): Promise<ClipLogo | null> {
  if (!logo) return null
  const { uploadId, path: file } = logo
  const folder = path.join(workDir, 'logo')
  await mkdir(folder, { recursive: true })
  const placed = { corner: look.logoCorner, width: look.logoWidth, margins: look.margins ?? undefined }
  try {
    const pixels = await writePixels(await openPicture({ path: file, folder, ffmpeg, signal }), folder)
    return { uploadId, pixels, ...placed, safeArea: captions?.safe_area }
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code === 'server_error') throw cause
    throw new ServiceError(cause.code, `The logo of the brand, ${uploadId}: ${cause.message}`, { cause })
  }
}

/** What a crop follows. A point counts for all of the media. */
function focusOf({ focus, focus_points: points }: ClipSettings): CropFocus {
  if (typeof focus === 'string') return { subject: focus, points }
  return { subject: null, points: [{ start: 0, end: maxSeconds, ...focus }, ...points] }
}

interface Placing {
  /** All that is said. */
  readonly text: string
  readonly in: (ranges: readonly ShownRange[]) => PlacedCues
}

function placeText(text: string): Placing {
  const cues = readCaptions(text)
  return { text: cues.map((cue) => cue.text).join(' '), in: (ranges) => placeCues(cues, ranges) }
}

/** Words are put together to captions as the clip has them, or to captions that change with each word. */
function placeTranscript(words: readonly Passage[], spokenLength?: number): Placing {
  const whole = [...subtitlesOf(words)]
  return {
    text: words.map((word) => word.text).join(' '),
    in: (ranges) => {
      const { outside } = placeCues(whole, ranges)
      const placed = placeWords(words, ranges)
      return { cues: [...(spokenLength ? spokenCaptions(placed, spokenLength) : subtitlesOf(placed))], outside }
    },
  }
}

const foundWords = z.object({
  media_seconds: z.number(),
  transcript: z.object({ text: z.string(), words: spokenWords }),
})

async function wordsOf(
  { media, earlierResult, earlierWords }: ClipContext,
  jobId: string,
): Promise<readonly Passage[]> {
  const { data } = foundWords.safeParse(await earlierResult(jobId))
  if (!data) throw invalidRequest(`The result of ${jobId} has no transcript. Use a job of audio/find-words.`)
  const other = otherLength(data.media_seconds, media.info.durationSeconds)
  if (other)
    throw invalidRequest(
      `The transcript of ${jobId} ${other} Transcribe this media with audio/find-words, or send settings.captions.text.`,
    )
  const { words, text } = data.transcript
  // A result does not list the words of a long transcript.
  return words.length === 0 && text !== '' ? (await earlierWords(jobId)).words : words
}

async function warnOfCharacters(text: string, fontPath: string | undefined): Promise<string[]> {
  const font = await captionFont(fontPath)
  const missing = [...new Set(text)].find(
    (each) => /[\p{L}\p{N}\p{S}]/u.test(each) && !font.has(each.codePointAt(0) ?? 0),
  )
  if (missing === undefined) return []
  return [
    `The font of burnt captions lacks some of their characters, such as ${JSON.stringify(missing)}: boxes stand for them. "as": "sidecar" keeps them.`,
  ]
}

/** A file of a job. */
interface PlannedClip {
  readonly ranges: readonly Segment[]
  /** Names the file. Undefined for a clip of several ranges. */
  readonly startSeconds: number | undefined
}

interface ClipsInput extends Pick<RunContext<ClipSettings>, 'settings' | 'workDir' | 'pieces' | 'reportProgress'> {
  readonly opened: Awaited<ReturnType<typeof openClip>>
  readonly planned: readonly PlannedClip[]
  readonly make?: (input: ModeInput) => Promise<Clip>
  /** What the caller calls a range. */
  readonly nameRange?: (range: Segment) => string[]
}

/** Makes the files one after another. Undefined without any. */
export async function makeClips(input: ClipsInput) {
  const { settings, workDir, pieces: store, opened, planned, nameRange } = input
  const { source, clip: options, named, warnings } = opened
  const { make = (clip: ModeInput) => makeClip(settings.mode, clip) } = input
  const made = []
  for (const [index, { ranges, startSeconds }] of planned.entries()) {
    const name = planned.length > 1 ? `clip-${index + 1}` : 'clip'
    const outputPath = path.join(workDir, `${name}.${options.format}`)
    const onProgress = (fraction: number) => input.reportProgress((index + fraction) / planned.length)
    if (ranges.length === 0) continue
    const clip = await make({ ...options, outputPath, onProgress, ranges, store })
    const files = presentFiles(clip, outputPath, options.format, startSeconds)
    made.push({
      receipt: { ...presentReceipt(clip.receipt, source, nameRange), ...named },
      files,
      sidecars: await writeSidecars(files[0], clip.receipt.captions ?? undefined),
      billed: billedMilliseconds(clip, ...ranges),
    })
  }
  const [first] = made
  return (
    first && {
      receipt: first.receipt,
      receipts: made.map(({ receipt }) => receipt),
      files: [...made.flatMap(({ files }) => files), ...made.flatMap(({ sidecars }) => sidecars)],
      warnings: [...warnings, ...gatherWarnings(made)],
      billedMilliseconds: made.reduce((sum, { billed }) => sum + billed, 0),
    }
  )
}

/** Writes the captions beside their clip, if they are not part of its picture. */
async function writeSidecars(
  clipFile: OutputFile | undefined,
  { cues, look }: { readonly cues: readonly Cue[]; readonly look: unknown } = { cues: [], look: 'none' },
): Promise<OutputFile[]> {
  if (!clipFile || look !== null) return []
  const { dir, name } = path.parse(clipFile.path)
  const files = [
    { extension: 'vtt', contentType: 'text/vtt', text: [...webVtt(cues)].join('') },
    { extension: 'srt', contentType: 'application/x-subrip', text: [...subRip(cues)].join('') },
  ]
  return Promise.all(
    files.map(async ({ extension, contentType, text }) => {
      const fileName = `${name}.${extension}`
      const filePath = path.join(dir, fileName)
      await writeFile(filePath, text)
      return { ...clipFile, path: filePath, fileName, contentType, width: null, height: null }
    }),
  )
}
