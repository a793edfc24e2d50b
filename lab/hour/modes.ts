import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Segment } from '../../src/core/segments.ts'
import type { CutMode } from '../../src/media/clip/clip-receipt.ts'
import { leadBudget } from '../../src/media/clip/lead-budget.ts'
import { copyBudget } from '../../src/media/copying/copy-bounds.ts'
import { makeClip } from '../../src/media/copying/make-clip.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { asSeconds, describeFigures, inTurns } from '../figures.ts'
import type { HourOfFilm } from './hour.ts'
import { withoutPauses } from './talk-film.ts'

const windowSeconds = 300
const isFloor = true as const

/** Cuts 300 seconds in each mode, copies them with bare ffmpeg, and joins the talk without its pauses exactly and smartly. */
export async function measureModes(hour: HourOfFilm): Promise<string> {
  const { ffmpeg, ffmpegPath, cores, folder, memory, talk } = hour
  const { signal } = new AbortController()
  const tracks = await readTracks((await fileSource(talk.film)).input('mp4'), ffmpeg, signal)
  // In the middle, between keyframes and between frames.
  const start = Math.round(tracks.durationSeconds / 2) - windowSeconds / 2 + 0.51
  const window: Segment = { start, end: start + windowSeconds }
  const ranges = withoutPauses(talk, talk.seconds)
  const make = async (mode: CutMode, kept: readonly Segment[]) => {
    const began = performance.now()
    const outputPath = path.join(await mkdtemp(path.join(folder, 'clip-')), 'clip.mp4')
    const { receipt } = await makeClip(mode, {
      ...{ tracks, ranges: kept, format: 'mp4', quality: 'balanced', audioOnly: false, leadBudget: leadBudget(0) },
      ...{ fadeSeconds: 0.005, loudnessLufs: null, outputPath, concurrency: Math.max(1, Math.floor(cores / 2)) },
      ...{ copyBudget: copyBudget(tracks.durationSeconds * 1e9), ffmpeg, signal, onProgress: () => {} },
    })
    const milliseconds = performance.now() - began
    await rm(path.dirname(outputPath), { recursive: true })
    return { milliseconds, receipt }
  }
  const copies = await inTurns(5, {
    bare: () =>
      promisify(execFile)(ffmpegPath, [
        ...['-nostdin', '-v', 'error', '-y', '-ss', String(window.start), '-i', talk.film],
        ...['-t', String(windowSeconds), '-c', 'copy', '-movflags', '+faststart', path.join(folder, 'bare.mp4')],
      ]),
    copy: () => make('copy', [window]),
  })
  const [smart, exact] = [await make('smart', [window]), await make('exact', [window])]
  const [smartJoined, exactJoined] = [await make('smart', ranges), await make('exact', ranges)]
  const { framesEncoded, framesCopied } = smart.receipt
  const lost = Math.abs(exact.receipt.framesEncoded - framesEncoded - framesCopied)
  const frameMs = 1000 / (tracks.video?.frameRate ?? Number.NaN)
  const leader = process.resourceUsage().maxRSS / 1024
  const figures = [
    { name: '300 s, exact : smart', value: exact.milliseconds / smart.milliseconds, goal: 8, unit: '×', isFloor },
    { name: 'frames that smart has more or less than exact', value: lost, goal: 0, unit: '' },
    {
      ...{ name: `${ranges.length} ranges joined, exact : smart`, unit: '×', goal: 4, isFloor },
      value: exactJoined.milliseconds / smartJoined.milliseconds,
    },
    {
      ...{ name: 'drift at the end', goal: frameMs, unit: 'ms' },
      value: Math.abs(smartJoined.receipt.driftSeconds) * 1000,
    },
    { name: '300 s, copy : `ffmpeg -c copy`', value: copies('copy') / copies('bare'), goal: 1.3, unit: '×' },
    { name: 'resident set of the process that leads the work', value: leader, goal: 400, unit: 'MiB' },
    { name: 'largest resident set of an ffmpeg', value: memory.peak('ffmpeg'), goal: 400, unit: 'MiB' },
  ]
  return `## Modes of clips at 1080p

300 s from the middle of the talk took ${asSeconds(exact.milliseconds)} s exact, ${asSeconds(smart.milliseconds)} s smart (${framesEncoded} frames encoded, ${framesCopied} copied) and
${asSeconds(copies('copy'))} s copied; bare \`ffmpeg -c copy\` took ${asSeconds(copies('bare'))} s. The pauses taken out of the talk leave ${ranges.length} ranges: they took
${asSeconds(exactJoined.milliseconds)} s exact and ${asSeconds(smartJoined.milliseconds)} s smart, with ${smartJoined.receipt.framesEncoded} frames encoded and ${smartJoined.receipt.framesCopied} copied. Smart includes its checks against the source.

${describeFigures(figures)}
`
}
