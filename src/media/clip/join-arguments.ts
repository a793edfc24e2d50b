import { ratio } from '../inspect/frame-rate.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import type { SourceAudio, SourceVideo } from '../inspect/tracks.ts'
import { audioEncoder, containers } from './encoders.ts'
import { type JoinPlan, totalLength } from './join-plan.ts'
import type { PlacedRange } from './snap-ranges.ts'
import {
  encodeFramesOptions,
  finishingFilters,
  pixelFilters,
  sampleFilters,
  seekBefore,
  tickOf,
} from './track-arguments.ts'

/** Where decoding of these ranges starts. */
export function joinSeekSeconds({ grid }: JoinPlan, ranges: readonly PlacedRange[]): number {
  const first = ranges[0]
  const tick = Math.min(first?.startTick ?? 0, first?.firstFrameTick ?? Number.POSITIVE_INFINITY)
  return seekBefore(tick * grid.secondsPerTick - grid.originSeconds)
}

/** Encodes the frames of consecutive ranges, as an MP4 without audio that starts at 0. */
export function videoPieceOptions(plan: JoinPlan, track: SourceVideo, ranges: readonly PlacedRange[]): string[] {
  const { format, quality, grid } = plan
  const times = lastFrameTimes(plan, ranges)
  return [
    ...['-map', `0:${track.streamIndex}`, '-map_chapters', '-1'],
    ...encodeFramesOptions({
      track,
      format,
      quality,
      filter: rangesFilter(track, ranges, grid.secondsPerTick),
      ...times,
    }),
    ...['-write_tmcd', '0', '-f', 'mp4'],
  ]
}

function rangesFilter(track: SourceVideo, ranges: readonly PlacedRange[], secondsPerTick: number): string {
  const tolerance = Math.floor(frameToleranceSeconds / secondsPerTick)
  const bounds = ranges.map(({ startTick, endTick, firstFrameTick = startTick }) => ({
    from: Math.min(startTick, firstFrameTick) - tolerance,
    to: endTick - tolerance,
  }))
  const zero = ranges[0]?.atTick ?? 0
  // A slide from before its range is shown from the range's start.
  const times = ranges.map(({ startTick, atTick }) => `max(${atTick - zero},PTS-${startTick - atTick + zero})`)
  const chosen = stepExpression(
    'pts',
    bounds.flatMap(({ from, to }) => [from, to]),
    ['0', ...bounds.flatMap(() => ['1', '0'])],
  )
  const starts = bounds.slice(1).map(({ from }) => from)
  return [
    `settb=${tickOf(track)}`,
    // Makes ffmpeg stop reading.
    `trim=start_pts=${bounds[0]?.from ?? 0}:end_pts=${bounds.at(-1)?.to ?? 0}`,
    `select='${chosen}'`,
    `setpts='${stepExpression('PTS', starts, times)}'`,
    ...pixelFilters(track),
  ].join(',')
}

/** When the last frame of these ranges starts and stops being shown, in seconds from their start in the output. */
function lastFrameTimes({ grid }: JoinPlan, ranges: readonly PlacedRange[]) {
  const zero = ranges[0]?.atTick ?? 0
  const showing = ranges.findLast(({ frames }) => frames > 0)
  const lastTick = showing && grid.frameTicks.findLast((tick) => tick < showing.endTick)
  const ending = ranges.findLast(({ startTick }) => startTick < grid.endTick)
  const at = (range: PlacedRange | undefined, tick: number) =>
    range ? (range.atTick - zero + Math.max(0, tick - range.startTick)) * grid.secondsPerTick : 0
  return {
    lastSeconds: at(showing, lastTick ?? 0),
    endSeconds: at(ending, Math.min(ending?.endTick ?? 0, grid.endTick)),
  }
}

/** Decodes the samples of one audio track, counted on the container's clock, as floating-point WAV. */
export function decodingOptions({ streamIndex, sampleRate }: SourceAudio, firstSample: number, endSample: number) {
  const filters = sampleFilters(sampleRate, { seekSample: firstSample, startSample: firstSample, endSample })
  return ['-map', `0:${streamIndex}`, '-filter:a', filters.join(','), '-c:a', 'pcm_f32le', '-bitexact', '-f', 'wav']
}

/** Encodes the joined samples, and fades the ends that cut into the track. */
export function audioOptions(plan: JoinPlan, track: SourceAudio): string[] {
  const { format, quality, fadeSeconds, ranges, grid, lengthTicks } = plan
  const container = containers[format]
  const lengthSeconds = lengthTicks * grid.secondsPerTick
  const onMediaClock = (tick = 0) => tick * grid.secondsPerTick - grid.originSeconds
  const window = { start: onMediaClock(ranges[0]?.startTick), end: onMediaClock(ranges.at(-1)?.endTick) }
  const filters = finishingFilters(track, { format, fadeSeconds, lengthSeconds, window })
  return [
    ...['-map', '0:a:0', ...(filters.length > 0 ? ['-filter:a', filters.join(',')] : [])],
    ...audioEncoder(container.audio, track, 0, quality),
    ...container.muxer,
  ]
}

/** Muxes encoded pieces of video and encoded audio tracks into one file. */
export function muxOptions({ format, video, audio }: JoinPlan): string[] {
  // WebM stores a frame rate. An average rate would make readers drop and repeat frames.
  const storesRate = video && format === 'webm' && ratio(video.baseFrameRate) > 0
  return [
    ...(video ? ['-map', '0:v:0', ...(storesRate ? ['-r:v', video.baseFrameRate] : [])] : []),
    ...audio.flatMap((_, index) => ['-map', `${index + (video ? 1 : 0)}:a:0`]),
    ...['-c', 'copy'],
    ...containers[format].muxer,
  ]
}

/** A list for the concat demuxer. Durations are rounded so that each running total is right to the microsecond. */
export function pieceList(
  pieces: readonly { readonly fileName: string; readonly ranges: readonly PlacedRange[] }[],
  secondsPerTick: number,
): string {
  let [ticks, written] = [0, 0]
  const lines = pieces.map(({ fileName, ranges }) => {
    ticks += totalLength(ranges)
    const duration = Math.round(ticks * secondsPerTick * 1e6) - written
    written += duration
    return `file '${fileName}'\ninpoint 0\nduration ${(duration / 1e6).toFixed(6)}\n`
  })
  return `ffconcat version 1.0\n${lines.join('')}`
}

/**
 * An ffmpeg expression with the value `values[n]` if `n` bounds are at or below the variable. A binary tree, because ffmpeg
 * rejects a sum of hundreds of comparisons, and would evaluate all of it for every frame.
 */
function stepExpression(variable: string, bounds: readonly number[], values: readonly string[]): string {
  const [only = '0'] = values
  if (values.length < 2) return only
  const middle = values.length >> 1
  const below = stepExpression(variable, bounds.slice(0, middle - 1), values.slice(0, middle))
  const above = stepExpression(variable, bounds.slice(middle), values.slice(middle))
  return `if(lt(${variable},${bounds[middle - 1]}),${below},${above})`
}
