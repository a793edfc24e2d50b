import path from 'node:path'
import { z } from 'zod'
import { mapOrAbort } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import { positionLabel } from '../../core/file-names.ts'
import { posterContentType } from '../../core/media.ts'
import { counted } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { sureFaceScore } from '../../media/frames/frame-quality.ts'
import { cropAround, pointOfInterest } from '../../media/frames/point-of-interest.ts'
import { frameShownAt, openFrames } from '../../media/frames/sample-frames.ts'
import { thumbnailScoreOf } from '../../media/frames/thumbnail-quality.ts'
import { writeStills } from '../../media/frames/write-stills.ts'
import { presentFace, roundShares, toThousandths } from '../format.ts'
import { reasonsFor } from '../frame-reasons.ts'
import type { OutputFile, RunContext } from '../run-contract.ts'
import type { thumbnailScoreSettings } from './declaration.ts'
import { billedMillisecondsPerFrame, stretchesOf, timesOf } from './frame-times.ts'

type Settings = z.output<typeof thumbnailScoreSettings>
type Context = RunContext<Settings>

export async function runThumbnailScore(context: Context) {
  const { media, settings, cores, signal, reportProgress } = context
  const times = timesOf(context.window, settings) ?? (await timesOfJob(context))
  // Throws for a moment past the end of the media, before any work.
  stretchesOf(times, media.info.durationSeconds)
  const source = await openFrames(context)
  let done = 0
  const scored = await cores.borrow(times.length - 1, (borrowed) =>
    mapOrAbort(signal, { items: times, concurrency: borrowed + 1 }, async (time, index, aborted) => {
      const thumbnail = await scoreFrame({ ...context, signal: aborted }, { ...source, signal: aborted }, time, index)
      done += 1
      reportProgress(done / times.length)
      return thumbnail
    }),
  )
  const ranked = scored.flatMap((each) => each ?? []).toSorted((a, b) => b.score - a.score || a.time - b.time)
  const missing = times.length - ranked.length
  return {
    result: {
      media_seconds: roundToMillisecond(media.info.durationSeconds),
      frames: ranked.map(({ files: _, ...frame }, index) => ({ rank: index + 1, ...frame })),
    },
    files: ranked.flatMap(({ files }) => files),
    warnings: missing > 0 ? [`Not scored, because the media is damaged there: ${counted(missing, 'frame')}.`] : [],
    billedMilliseconds: ranked.length * billedMillisecondsPerFrame,
  }
}

const bestFrames = z.object({ media_seconds: z.number(), frames: z.array(z.object({ time: z.number() })) })

/** The times of the frames that an earlier job returned. */
async function timesOfJob({ media, settings: { job_id: id = '' }, earlierResult }: Context): Promise<number[]> {
  const { data: found } = bestFrames.safeParse(await earlierResult(id))
  if (!found) throw invalid(`The result of ${id} has no frames. Use a job of video/best-frames.`)
  if (found.frames.length === 0) throw invalid(`${id} returned no frame. Send settings.times, or use another job.`)
  if (found.media_seconds !== roundToMillisecond(media.info.durationSeconds))
    throw invalid(`${id} read media of another length. Send the media_url that it had.`)
  return found.frames.map(({ time }) => time)
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}

/** Scores the frame shown at a moment, and writes its crops. Undefined if it cannot be decoded. */
async function scoreFrame(
  { settings, models, workDir }: Context,
  source: Awaited<ReturnType<typeof openFrames>>,
  time: number,
  index: number,
) {
  const frame = await frameShownAt(source, time, path.join(workDir, `shown-${index}`))
  if (!frame) return undefined
  const { picture, seconds } = frame
  const faces = await models.run('find-faces', picture)
  const { score, quality, flaw } = thumbnailScoreOf(picture, faces)
  const point = pointOfInterest(picture, faces)
  const crops = settings.crops.map((shape) => {
    const [across = 1, down = 1] = shape.split(':').map(Number)
    return { shape, ...cropAround(point, source.video.shown, across / down) }
  })
  const files = crops.map(({ shape, width, height }): OutputFile => {
    const name = shape.replace(':', 'x')
    const fileName = `thumbnail-${index + 1}-${name}.jpg`
    const label = `thumbnail-${positionLabel(seconds)}-${name}`
    const filePath = path.join(workDir, fileName)
    return { path: filePath, fileName, label, contentType: posterContentType, durationSeconds: 0, width, height }
  })
  const stills = crops.flatMap((crop, at) => (files[at] ? [{ crop, path: files[at].path }] : []))
  if (!(await writeStills({ ...source, seconds, stills }))) return undefined
  return {
    time: roundToMillisecond(seconds),
    score: toThousandths(score),
    reasons: reasonsFor(quality, flaw),
    measures: roundShares(quality),
    faces: faces.filter((face) => face.score >= sureFaceScore).map(presentFace),
    point_of_interest: { x: toThousandths(point.x), y: toThousandths(point.y) },
    crops,
    files,
  }
}
