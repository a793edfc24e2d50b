import path from 'node:path'
import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { positionLabel } from '../../core/file-names.ts'
import { posterContentType } from '../../core/media.ts'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf } from '../../core/segments.ts'
import { counted } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseBestFrames, type ScoredFrame } from '../../media/frames/choose-frames.ts'
import { sureFaceScore } from '../../media/frames/frame-quality.ts'
import { assertShortLeads, openFrames } from '../../media/frames/sample-frames.ts'
import { writeStills } from '../../media/frames/write-stills.ts'
import { presentFace, presentMeasures, presentSegment, reasonsFor, toHundredths, toThousandths } from '../format.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { OutputFile, RunContext } from '../run-contract.ts'
import type { bestFramesSettings } from './declaration.ts'

type Settings = z.output<typeof bestFramesSettings>

/** The share of the work that finding takes; writing the files takes the rest. */
const findingShare = 0.8

export async function runBestFrames(context: RunContext<Settings>) {
  const { media, settings, foundFrames, workDir, reportProgress } = context
  const window = resolveWindow(context.window, media.info.durationSeconds)
  const onProgress = (fraction: number) => reportProgress(fraction * findingShare)
  const { value: found, analysis } = await foundFrames.get({ track: { index: 0 }, window, onProgress })
  const chosen = chooseBestFrames(found.frames, settings.count)
  const source = await openFrames(context)
  const moments = chosen.map(({ frame }) => frame.seconds)
  await assertShortLeads(source, { moments, billedSeconds: durationOf(window) })
  const written: { readonly frame: ScoredFrame; readonly file: OutputFile }[] = []
  for (const [index, frame] of chosen.entries()) {
    const { seconds } = frame.frame
    const fileName = `frame-${index + 1}.jpg`
    const outputPath = path.join(workDir, fileName)
    if (await writeStills({ ...source, seconds, stills: [{ path: outputPath }] })) {
      const label = `frame-${positionLabel(seconds)}`
      const picture = { contentType: posterContentType, durationSeconds: 0, ...source.video.shown }
      written.push({ frame, file: { path: outputPath, fileName, label, ...picture } })
    }
    reportProgress(findingShare + ((1 - findingShare) * (index + 1)) / chosen.length)
  }
  const missing = chosen.length - written.length
  if (missing > 0 && written.length === 0)
    throw new ServiceError('processing_failed', 'The media is damaged: none of its best frames can be decoded again.')
  return {
    result: {
      media_seconds: roundToMillisecond(media.info.durationSeconds),
      frames: written.map(({ frame }) => presentFrame(frame)),
      analysis,
    },
    files: written.map(({ file }) => file),
    warnings: [
      ...(missing > 0 ? [`Not written, because the media is damaged there: ${counted(missing, 'frame')}.`] : []),
      ...warnOfFewFrames(chosen.length, settings.count),
    ],
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}

function presentFrame({ frame, quality, score }: ScoredFrame) {
  return {
    time: roundToMillisecond(frame.seconds),
    score: toThousandths(score),
    reasons: reasonsFor(quality),
    shot: presentSegment(frame.shot),
    measures: { ...presentMeasures(quality), stillness: toHundredths(quality.stillness) },
    faces: frame.faces.filter(({ score: sureness }) => sureness >= sureFaceScore).map(presentFace),
  }
}

function warnOfFewFrames(frames: number, count: number): string[] {
  const why = 'The others are dark, blank, noise or blurred, or look like one of them.'
  if (frames === 0) return ['No frame is good enough: all are dark, blank, noise or blurred.']
  return frames < count ? [`Only ${counted(frames, 'frame')} of ${count} asked for. ${why}`] : []
}
