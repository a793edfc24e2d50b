import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Picture } from '../../src/core/picture.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import { startLauncher } from '../../src/media/tools/launcher.ts'
import type { StartTool, ToolExit } from '../../src/media/tools/spawn.ts'
import { required } from '../setup/required.ts'
import { mediaTools } from '../setup/tools.ts'

// Looks at media with plain ffmpeg and ffprobe calls, independent of the code under test.

const exec = promisify(execFile)

/** An empty folder, deleted when all tests have run. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(required('TEST_FOLDER'), 'media-'))
}

/** Ends with this process. */
const launcher = await startLauncher()

/** Confined as in a worker, where the machine can. */
export function testFfmpeg(processDir = path.join(temporaryFolder(), 'processes')) {
  return createFfmpeg({ ...mediaTools, processDir, ...(launcher ? { start: launcher.start } : {}) })
}

export const canMeasureTools = launcher !== undefined

/** Confined tools, and what the largest of them took. */
export function toolMeasures() {
  const exits: ToolExit[] = []
  const start: StartTool = (tool) => {
    if (!launcher) throw new Error('without the launcher nothing is measured')
    const process = launcher.start(tool)
    void process.exit.then((exit) => exits.push(exit))
    return process
  }
  const most = (of: (exit: ToolExit) => number | undefined) => {
    if (exits.length === 0) throw new Error('no tool ran')
    return Math.max(...exits.map((exit) => of(exit) ?? Number.POSITIVE_INFINITY))
  }
  return {
    ffmpeg: createFfmpeg({ ...mediaTools, processDir: path.join(temporaryFolder(), 'processes'), start }),
    peakBytes: () => most(({ maxRssBytes }) => maxRssBytes),
    cpuMs: () => most(({ cpuMs }) => cpuMs),
    /** Of all tools together. */
    totalCpuMs: () => exits.reduce((sum, { cpuMs = Number.POSITIVE_INFINITY }) => sum + cpuMs, 0),
  }
}

export const never = new AbortController().signal

/** Frames as shown: time in seconds and the luma of their first pixel. */
export async function framesOf(file: string): Promise<{ pts: number; luma: number }[]> {
  const times = (await probe(file, 'v:0', 'packet=pts_time')).map(Number).toSorted((a, b) => a - b)
  const pixels = ['-map', '0:v:0', '-vf', 'scale=2:2:flags=neighbor,format=yuv420p', '-fps_mode', 'passthrough']
  const frames = await decoded('-i', file, ...pixels, '-f', 'rawvideo')
  const bytesPerFrame = 6
  if (frames.length !== times.length * bytesPerFrame) throw new Error('packets and decoded frames differ in number')
  return times.map((pts, index) => ({ pts, luma: frames[index * bytesPerFrame] ?? -1 }))
}

/** Of the picture, as stored. */
export async function sizeOf(file: string): Promise<{ width: number; height: number }> {
  const [width, height] = (await probe(file, 'v:0', 'stream=width,height'))[0]?.split(',').map(Number) ?? []
  return { width: width ?? 0, height: height ?? 0 }
}

/** The sizes of its pictures, as "across,down". */
export async function frameSizesOf(file: string): Promise<string[]> {
  return [...new Set(await probe(file, 'v:0', 'frame=width,height'))]
}

/** Pixel format, range, matrix, transfer, primaries and pixel aspect. */
export async function colourOf(file: string): Promise<string> {
  const names = 'pix_fmt,color_range,color_space,color_transfer,color_primaries,sample_aspect_ratio'.split(',')
  const values = await Promise.all(names.map(async (name) => (await probe(file, 'v:0', `stream=${name}`))[0]))
  return values.join(',')
}

/** The colours and the brightness of the screen on which HDR was made, and of its brightest pictures, as the container says. */
export async function masteringOf(file: string): Promise<string> {
  const entries = 'stream_side_data=red_x,green_y,white_point_x,max_luminance,min_luminance,max_content,max_average'
  return (await probe(file, 'v:0', entries))
    .map((line) => line.split(',').map(ratioText).toSorted().join(','))
    .join(';')
}

/** Containers state one ratio with different denominators. */
function ratioText(text: string): string {
  const [part = 0, whole = 1] = text.split('/').map(Number)
  return Number.isFinite(part / whole) ? (part / whole).toFixed(4) : text
}

/** What ffmpeg draws, in place of a file. */
export function generated(source: string): { readonly source: string } {
  return { source }
}

/** The first picture of a file, or of what ffmpeg draws, that passes the filter. */
export async function pictureOf(from: string | { readonly source: string }, filter = 'null'): Promise<Picture> {
  const input = typeof from === 'string' ? ['-i', from] : ['-f', 'lavfi', '-i', from.source]
  const image = await decoded(...input, '-vf', filter, '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'ppm')
  const header = /^P6\n(\d+) (\d+)\n255\n/.exec(image.toString('latin1', 0, 40))
  if (!header) throw new Error('no picture')
  return { width: Number(header[1]), height: Number(header[2]), rgb: new Uint8Array(image.subarray(header[0].length)) }
}

/** The brightness of each pixel of the first picture of a film, from 0 to 1023. */
export async function lumaOf(file: string): Promise<Uint16Array> {
  const options = ['-vf', 'extractplanes=y', '-frames:v', '1', '-pix_fmt', 'gray10le', '-f', 'rawvideo']
  return new Uint16Array(new Uint8Array(await decoded('-i', file, ...options)).buffer)
}

/** A hash of every decoded frame, in the order in which they are shown. */
export async function frameHashes(file: string): Promise<string[]> {
  const args = ['-v', 'error', '-i', file, '-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
  const { stdout } = await exec(mediaTools.ffmpegPath, args, { maxBuffer: 2 ** 26 })
  return stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

/** When the last packet of each kind ends, as ffprobe reads the file's edit lists and durations. */
export async function endsOf(file: string): Promise<{ audio: number; video: number }> {
  const end = async (stream: string) => {
    const packets = await probe(file, stream, 'packet=pts_time,duration_time')
    return Math.max(...packets.map(sumOfTwo))
  }
  const [audio, video] = await Promise.all([end('a:0'), end('v:0')])
  return { audio, video }
}

/** The lengths of the packets of the first audio track, but for the last one, in seconds. */
export async function soundPacketsOf(file: string): Promise<number[]> {
  return (await probe(file, 'a:0', 'packet=duration_time')).map(Number).slice(0, -1)
}

function sumOfTwo(line: string): number {
  const [first, second] = line.split(',')
  return Number(first) + Number(second)
}

/** What a strict decoder complains about; empty for a clean file. */
export async function decodeErrors(file: string): Promise<string> {
  const { stderr } = await exec(mediaTools.ffmpegPath, ['-v', 'error', '-i', file, '-map', '0', '-f', 'null', '-'])
  return stderr
}

export async function pcmOf(file: string, filter = 'anull'): Promise<Int16Array> {
  const samples = await decoded('-i', file, '-map', '0:a:0', '-af', filter, '-f', 's16le', '-c:a', 'pcm_s16le')
  return new Int16Array(new Uint8Array(samples).buffer)
}

interface Detection {
  readonly thresholdDb: number
  readonly minSeconds: number
  readonly track: number
  readonly mediaSeconds: number
}

/** Silences as ffmpeg's own filter finds them on the media's clock. A track that ends before the media is silent from there. */
export async function silencedetect(file: string, { thresholdDb, minSeconds, track, mediaSeconds }: Detection) {
  const filter = `aresample=async=1:first_pts=0,apad=whole_dur=${mediaSeconds},silencedetect=n=${thresholdDb}dB:d=${minSeconds}`
  const { stderr } = await exec(mediaTools.ffmpegPath, [
    ...['-hide_banner', '-nostats', '-i', file, '-map', `0:a:${track}`, '-af', filter, '-f', 'null', '-'],
  ])
  const times = (name: string) =>
    [...stderr.matchAll(new RegExp(`${name}: (\\S+)`, 'g'))].map(([, time]) => Number(time))
  const ends = times('silence_end')
  // Some decoders give the padding of the last block too, which no player plays.
  return times('silence_start').map((start, index) => ({
    start,
    end: Math.min(ends[index] ?? Number.NaN, mediaSeconds),
  }))
}

/** What ffmpeg writes with these arguments. */
async function decoded(...args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 2 ** 28 } as const
  return (await exec(mediaTools.ffmpegPath, ['-v', 'error', ...args, '-'], options)).stdout
}

async function probe(file: string, stream: string, entries: string): Promise<string[]> {
  const args = ['-v', 'error', '-select_streams', stream, '-show_entries', entries, '-of', 'csv=p=0', file]
  const { stdout } = await exec(mediaTools.ffprobePath, args, { maxBuffer: 2 ** 26 })
  return stdout
    .split('\n')
    .map((line) => line.replace(/,+$/, ''))
    .filter(Boolean)
}

/** The left edge of a bright bar in each field of a film, in the order in which the fields are shown. */
export async function fieldsOf(file: string, first: 'tff' | 'bff'): Promise<number[]> {
  const { width, height } = await sizeOf(file)
  const rows = await grayOf(file, `setfield=${first},separatefields,crop=${width}:2:0:${2 * Math.floor(height / 8)}`)
  return Array.from({ length: rows.length / width / 2 }, (_, index) => {
    const row = rows.subarray(2 * index * width, (2 * index + 1) * width)
    return row.findIndex((luma, at) => luma > 128 && (row.at(at - 1) ?? 0) <= 128)
  })
}

/** How much more neighbouring rows differ than every second row: 1 where two fields of a moving picture meet, 0 where they do not. */
export async function combsOf(file: string, isTurned = false): Promise<number> {
  const stored = await sizeOf(file)
  const width = isTurned ? stored.height : stored.width
  const pixels = await grayOf(file, isTurned ? 'transpose=cclock' : 'null')
  let [next, second] = [0, 0]
  for (let at = 0; at + 2 * width < pixels.length; at += 1) {
    next += Math.abs((pixels[at] ?? 0) - (pixels[at + width] ?? 0))
    second += Math.abs((pixels[at] ?? 0) - (pixels[at + 2 * width] ?? 0))
  }
  return Math.max(0, next - second) / (pixels.length / 10)
}

async function grayOf(file: string, filter: string): Promise<Uint8Array> {
  const options = ['-fps_mode', 'passthrough', '-pix_fmt', 'gray', '-f', 'rawvideo']
  return new Uint8Array(await decoded('-i', file, '-vf', `${filter},extractplanes=y`, ...options))
}

/** The opacity of the left half and of the right one, in the middle of the last picture, 0 to 255. */
export async function opacityOf(file: string, decoder: string): Promise<[number, number]> {
  const filter = 'extractplanes=a,scale=4:1:flags=area,format=gray'
  const picture = await decoded('-c:v', decoder, '-i', file, '-vf', filter, '-f', 'rawvideo')
  return [picture.at(-4) ?? -1, picture.at(-1) ?? -1]
}
