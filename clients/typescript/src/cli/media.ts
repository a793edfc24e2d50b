import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { retrying } from '../http.ts'
import { ConnectionError, type MediaTimeline, MediaTimelineError } from '../index.ts'
import type { Output } from './output.ts'
import type { MadeFile } from './result-lines.ts'

/** The URL that jobs read: a URL as it is, a file once it is uploaded. */
export async function mediaUrlOf(
  client: MediaTimeline,
  media: string,
  output: Output,
  signal: AbortSignal,
): Promise<string> {
  if (isUrl(media)) return media
  await assertReadable(media)
  const name = path.basename(media)
  const upload = await client.uploads.upload(media, {
    signal,
    onProgress: (sent, total) => output.progress(`Uploading ${name}`, total === 0 ? 1 : sent / total),
  })
  return upload.media_url
}

/** Throws unless it is a URL, or a file that is not empty. */
export async function assertReadable(media: string): Promise<void> {
  if (isUrl(media)) return
  const found = await stat(media).catch(() => undefined)
  if (found?.isDirectory())
    throw new MediaTimelineError(`${media} is a folder. Give a file, or use "batch" or "watch" for several.`)
  if (!found?.isFile())
    throw new MediaTimelineError(`There is no file ${media}. Give a file, or a URL that begins with http.`)
  if (found.size === 0) throw new MediaTimelineError(`${media} is empty. Give a file with sound or picture.`)
}

function isUrl(media: string): boolean {
  return /^https?:\/\//i.test(media)
}

/** Where files are saved: `to` is a folder, or the name of the only file, or of the only one with its ending. */
export function placesOf(
  files: readonly MadeFile[],
  to: string,
  isFolder = false,
): readonly (readonly [MadeFile, string])[] {
  const ending = path.extname(to)
  const [only, second] = files.length === 1 ? files : files.filter(({ name }) => path.extname(name) === ending)
  if (!isFolder && ending !== '' && only && !second) return [[only, to]]
  return files.map((file) => [file, path.join(to, path.basename(file.name))])
}

/** Throws if a file would be replaced: before something is run, which is paid for even if it cannot be saved. */
export async function assertFree({ output, force }: SaveOptions): Promise<void> {
  if (output === undefined || force || !(await stat(output).catch(() => undefined))?.isFile()) return
  throw new MediaTimelineError(`${output} is there already. Choose another name, or replace it with --force.`)
}

/** Saves files at `output`, and returns where. In a folder, one with the name of another gets a number. */
export async function saveAll(
  files: readonly MadeFile[],
  { output = '.', force, own }: SaveOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const saved: string[] = []
  const isFolder = own !== undefined || (await find(output))?.isDirectory()
  const isTaken = async (place: string) => own?.has(place) || (!force && (await find(place)) !== undefined)
  for (const [file, place] of placesOf(files, output, isFolder)) {
    const free = await freePlace(place, isTaken)
    await save(file, free, signal)
    own?.add(free)
    saved.push(free)
  }
  return saved
}

export interface SaveOptions {
  readonly output?: string
  readonly force?: true
  /** The files that the same command has saved in the folder `output`, which it never replaces. */
  readonly own?: Set<string>
}

const find = (place: string) => stat(place).catch(() => undefined)

/** The place, or with a number the next that is not taken. */
export async function freePlace(
  place: string,
  isTaken: (place: string) => Promise<boolean> = async (one) => (await find(one)) !== undefined,
  number = 1,
): Promise<string> {
  const { dir, name, ext } = path.parse(place)
  const numbered = number === 1 ? place : path.join(dir, `${name}-${number}${ext}`)
  return (await isTaken(numbered)) ? freePlace(place, isTaken, number + 1) : numbered
}

/** Saves what a job made: it is paid for, so a storage that is busy is asked again. The file appears once it is whole. */
export async function save(file: MadeFile, to: string, signal: AbortSignal): Promise<void> {
  await retrying(async () => saveOnce(file, to, signal), { signal })
}

async function saveOnce({ download_url, url }: MadeFile, to: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(download_url ?? url, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new ConnectionError('The file cannot be downloaded: the storage cannot be reached.', { cause })
  })
  if (!response.ok || !response.body) {
    const problem = response.status >= 500 ? ConnectionError : MediaTimelineError
    throw new problem(`The file cannot be downloaded: the storage answered ${response.status}.`)
  }
  await mkdir(path.dirname(to), { recursive: true })
  const part = `${to}.${randomUUID().slice(0, 8)}.part`
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part, { flags: 'wx' }), { signal })
    await rename(part, to)
  } catch (error) {
    await rm(part, { force: true })
    // Of fetch, and not of the disk.
    if (!(error instanceof TypeError)) throw error
    throw new ConnectionError('The file cannot be downloaded: the storage ended the connection.', { cause: error })
  }
}
