import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { mapOrAbort } from '../../core/abortable.ts'
import { invalidRequest, ServiceError } from '../../core/errors.ts'
import { positionLabel, shapeLabel } from '../../core/file-names.ts'
import { posterContentType } from '../../core/media.ts'
import { otherLength } from '../../core/same-media.ts'
import { counted } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { sureFaceScore } from '../../media/frames/frame-quality.ts'
import { assertShortLeads, frameShownAt, openFrames } from '../../media/frames/sample-frames.ts'
import { openPicture, readPicture } from '../../media/frames/uploaded-picture.ts'
import { makeThumbnail, type ThumbnailCandidate } from '../../media/frames/write-stills.ts'
import { presentFace, presentMeasures, reasonsFor, toHundredths, toThousandths } from '../format.ts'
import { momentsIn } from '../parse-settings.ts'
import type { OutputFile, RunContext } from '../run-contract.ts'
import type { thumbnailScoreSettings } from './declaration.ts'
import { billedMillisecondsPerFrame, stretchesOf } from './frame-times.ts'

type Context = RunContext<z.output<typeof thumbnailScoreSettings>>

interface Candidate extends ThumbnailCandidate {
  /** What it is recognized by in the result. */
  readonly named: { readonly time?: number; readonly upload_id?: string }
  /** In the names of its files. */
  readonly label: string
}

export async function runThumbnailScore(context: Context) {
  const { settings, media } = context
  if (settings.upload_ids) return scoreAll(context, settings.upload_ids, uploadedCandidate)
  const times = momentsIn(context.window, settings.times, 'times') ?? (await timesOfJob(context))
  // Throws for a moment past the end of the media, before any work.
  stretchesOf(times, media.info.durationSeconds)
  const source = await openFrames(context)
  // Each is decoded to be scored, and again for its crops.
  await assertShortLeads(source, { moments: times, times: 2 })
  const scored = await scoreAll(context, times, async ({ workDir, signal }, time, index) => {
    const own = { ...source, signal }
    const frame = await frameShownAt(own, time, path.join(workDir, `shown-${index}`))
    if (!frame) return undefined
    const { seconds } = frame
    return { ...frame, source: own, named: { time: roundToMillisecond(seconds) }, label: positionLabel(seconds) }
  })
  const result = { media_seconds: roundToMillisecond(media.info.durationSeconds), ...scored.result }
  return { ...scored, result }
}

/** Scores and ranks what `open` finds for each item: undefined where the media is damaged. */
async function scoreAll<Item>(
  context: Context,
  items: readonly Item[],
  open: (context: Context, item: Item, index: number) => Promise<Candidate | undefined>,
) {
  const { cores, signal, reportProgress } = context
  let done = 0
  const scored = await cores.borrow(items.length - 1, (borrowed) =>
    mapOrAbort(signal, { items, concurrency: borrowed + 1 }, async (item, index, aborted) => {
      const own = { ...context, signal: aborted }
      const candidate = await open(own, item, index)
      const thumbnail = candidate && (await scoreCandidate(own, candidate, index))
      done += 1
      reportProgress(done / items.length)
      return thumbnail
    }),
  )
  const ranked = scored
    .flatMap((each) => each ?? [])
    .toSorted((a, b) => b.score - a.score || (a.time ?? 0) - (b.time ?? 0))
  const missing = items.length - ranked.length
  return {
    result: { frames: ranked.map(({ files: _, ...frame }, index) => ({ rank: index + 1, ...frame })) },
    files: ranked.flatMap(({ files }) => files),
    warnings: missing > 0 ? [`Not scored, because the media is damaged there: ${counted(missing, 'frame')}.`] : [],
    billedMilliseconds: ranked.length * billedMillisecondsPerFrame,
  }
}

/** Undefined if it cannot be decoded again for its crops. */
async function scoreCandidate({ settings, models, workDir }: Context, candidate: Candidate, index: number) {
  const wanted = settings.crops.map((shape) => {
    const name = shapeLabel({ aspect: shape })
    const [across = 1, down = 1] = shape.split(':').map(Number)
    const fileName = `thumbnail-${index + 1}-${name}.jpg`
    const label = `thumbnail-${candidate.label}-${name}`
    return { shape, aspect: across / down, fileName, label, path: path.join(workDir, fileName) }
  })
  const made = await makeThumbnail(models, candidate, wanted)
  if (!made) return undefined
  const { score, quality, flaw, faces, point, stills } = made
  return {
    ...candidate.named,
    score: toThousandths(score),
    reasons: reasonsFor(quality, flaw),
    measures: { ...presentMeasures(quality), legibility: toHundredths(quality.legibility) },
    faces: faces.filter((face) => face.score >= sureFaceScore).map(presentFace),
    point_of_interest: { x: toThousandths(point.x), y: toThousandths(point.y) },
    crops: stills.map(({ shape, crop }) => ({ shape, ...crop })),
    files: stills.map(
      ({ path, fileName, label, crop: { width, height } }): OutputFile => ({
        ...{ path, fileName, label, width, height },
        ...{ contentType: posterContentType, durationSeconds: 0 },
      }),
    ),
  }
}

/** Throws, naming the upload, if it is no picture that can be read: the caller sent it and can leave it out. */
async function uploadedCandidate(
  { uploadedPicture, ffmpeg, signal, workDir }: Context,
  upload_id: string,
  index: number,
): Promise<Candidate> {
  const folder = path.join(workDir, `picture-${index}`)
  await mkdir(folder)
  const file = await uploadedPicture(upload_id)
  try {
    const source = await openPicture({ path: file, folder, ffmpeg, signal })
    const picture = await readPicture(source, folder)
    return { picture, seconds: 0, source, named: { upload_id }, label: String(index + 1) }
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code === 'server_error') throw cause
    throw new ServiceError(cause.code, `${upload_id}: ${cause.message}`, { cause })
  }
}

const bestFrames = z.object({ media_seconds: z.number(), frames: z.array(z.object({ time: z.number() })) })

/** The times of the frames that an earlier job returned. */
async function timesOfJob({ media, settings: { job_id: id = '' }, earlierResult }: Context): Promise<number[]> {
  const { data: found } = bestFrames.safeParse(await earlierResult(id))
  if (!found) throw invalidRequest(`The result of ${id} has no frames. Use a job of video/best-frames.`)
  if (found.frames.length === 0)
    throw new ServiceError('nothing_found', `${id} found no good frame. Send settings.times, or use another job.`)
  const other = otherLength(found.media_seconds, media.info.durationSeconds)
  if (other)
    throw invalidRequest(`The result of ${id} ${other} Run video/best-frames on this media, or send settings.times.`)
  return found.frames.map(({ time }) => time)
}
