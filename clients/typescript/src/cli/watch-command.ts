import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { isWorthRetrying, pause, trusted } from '../http.ts'
import { ApiError, FailedError, type MediaTimeline, MediaTimelineError } from '../index.ts'
import { type Context, contextOf } from './context.ts'
import { keptFolder } from './credentials.ts'
import { mediaUrlOf, save } from './media.ts'
import { describe, priceText } from './output.ts'
import { type AnyResult, filesOf } from './result-lines.ts'
import { chainOption, dollars, jsonOf } from './work-commands.ts'

/** A file is whole once it has not changed for this long. */
const quietSeconds = 2
const lookSeconds = 1
/** Until a service that is away is asked again. */
const retrySeconds = 5

/** `watch FOLDER --run CHAIN`: every file that comes into a folder, once. */
export function addWatchCommand(program: Command): void {
  program
    .command('watch <folder>')
    .helpGroup('Account:')
    .description('Run a chain on every new file of a folder, each once, also after a restart. Ends with Ctrl-C.')
    .addOption(chainOption())
    .option('--max-price <usd>', 'at most these dollars a file', dollars)
    .option('--settings <json>', 'settings of its steps, such as {"audio/detect-silence": {"threshold": -40}}', jsonOf)
    .option('-o, --output <folder>', 'save what it makes here, in a folder for each file')
    .option('--existing', 'also the files that are there')
    .action(async (folder: string, options: WatchOptions, command: Command) =>
      watch(await contextOf(command), path.resolve(folder), options),
    )
}

interface WatchOptions {
  readonly run: string
  readonly maxPrice?: number
  readonly settings?: Record<string, Record<string, unknown>>
  readonly output?: string
  readonly existing?: true
}

interface Seen {
  readonly name: string
  readonly bytes: number
  readonly modifiedMs: number
}

async function watch(context: Context, folder: string, options: WatchOptions): Promise<void> {
  const { output, signal } = context
  const client = await context.client()
  await assertFolders(folder, options)
  const done = await openDone(folder, options)
  const before = new Map<string, string>()
  const mediaUrls = new Map<string, string>()
  output.note(`Watching ${folder}. Ctrl-C ends it.`)
  while (!signal.aborted) {
    for (const file of await filesIn(folder)) {
      if (done.has(file)) continue
      const key = keyOf(file, options.run)
      const isSame = before.get(file.name) === key
      before.set(file.name, key)
      if (!isSame || Date.now() - file.modifiedMs < quietSeconds * 1000) continue
      // A run that was refused for now starts later, without another upload.
      const upload = async (name: string) => {
        const mediaUrl = mediaUrls.get(key) ?? (await mediaUrlOf(client, name, output, signal))
        mediaUrls.set(key, mediaUrl)
        return mediaUrl
      }
      if (!(await runOn(context, client, path.join(folder, file.name), options, { key, upload }))) continue
      await done.add(file)
      mediaUrls.delete(key)
    }
    await pause(lookSeconds, signal)
  }
}

async function assertFolders(folder: string, { output }: WatchOptions): Promise<void> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new MediaTimelineError(`There is no folder ${folder}.`)
  if (output !== undefined && path.resolve(output) === folder)
    throw new MediaTimelineError('What it makes would be watched, too. Choose another folder for --output.')
}

interface Attempt {
  /** Of the file as it is. */
  readonly key: string
  /** Returns the media_url of a file. */
  readonly upload: (file: string) => Promise<string>
}

/** Returns whether the file is done with. It is not while the service is away or the account full: then it waits. */
async function runOn(
  { output, signal }: Context,
  client: MediaTimeline,
  file: string,
  { run: chain, maxPrice, settings, output: to }: WatchOptions,
  { key, upload }: Attempt,
): Promise<boolean> {
  const name = path.basename(file)
  try {
    // A run that was started before a restart: another upload of its file would have another media_url.
    const metadata = { watched: key }
    const [known] = (await client.workflowRuns.list({ metadata, limit: 1 }, { signal })).items
    const start = async () => {
      const limits = { ...(settings && { settings }), ...(maxPrice !== undefined && { max_price_usd: maxPrice }) }
      return await client.workflowRuns.start(chain, { media_url: await upload(file), metadata, ...limits }, { signal })
    }
    const run = await client.workflowRuns.wait((known ?? (await start())).id, { signal })
    const files = to === undefined ? [] : filesOf(trusted<AnyResult>(run.result ?? {}))
    for (const made of files) await save(made, path.join(to ?? '', name, path.basename(made.name)), signal)
    output.result({ file, run }, () => [`${name}\t${run.id}\t${run.status}\t${priceText(run.price_usd)}`])
    return true
  } catch (error) {
    if (isWorthRetrying(error) || isFull(error)) {
      output.note(`${name} waits: ${describe(error).message}`)
      await pause(retrySeconds, signal)
      return false
    }
    if (!isOfFile(error)) throw error
    const { code, message } = error
    const verdict = code === 'nothing_found' ? 'nothing found' : 'failed'
    output.result({ file, error: { code, message } }, () => [`${name}\t${verdict}\t${message}`])
    return true
  }
}

/** Whether the service refuses this file, or its run failed. */
function isOfFile(error: unknown): error is ApiError | FailedError {
  return (error instanceof ApiError && [400, 415, 422].includes(error.status)) || error instanceof FailedError
}

/** Whether the account has no space for the file until others are deleted or expire. */
function isFull(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'payload_too_large'
}

async function filesIn(folder: string): Promise<Seen[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !/^\.|\.(part|tmp|crdownload)$/i.test(entry.name))
  const found = await Promise.all(
    names.map(async ({ name }): Promise<Seen[]> => {
      const file = await stat(path.join(folder, name)).catch(() => undefined)
      return file && file.size > 0 ? [{ name, bytes: file.size, modifiedMs: file.mtimeMs }] : []
    }),
  )
  return found.flat().sort((a, b) => a.modifiedMs - b.modifiedMs)
}

const keyOf = ({ name, bytes, modifiedMs }: Seen, chain: string) =>
  createHash('sha256')
    .update(JSON.stringify([chain, name, bytes, Math.round(modifiedMs)]))
    .digest('hex')
    .slice(0, 32)

/** Which files of a folder a chain has run on, kept over restarts. At the first start, the files that are there count as such. */
async function openDone(folder: string, { run: chain, existing }: WatchOptions) {
  const id = createHash('sha256')
    .update(JSON.stringify([folder, chain]))
    .digest('hex')
    .slice(0, 16)
  const place = keptFolder(`watch/${id}.json`, 'XDG_STATE_HOME', path.join('.local', 'state'))
  const text = await readFile(place, 'utf8').catch(() => undefined)
  const keys = new Set<unknown>(text === undefined ? [] : trusted<unknown[]>(JSON.parse(text)))
  const add = async (files: readonly Seen[]) => {
    for (const file of files) keys.add(keyOf(file, chain))
    await mkdir(path.dirname(place), { recursive: true })
    await writeFile(`${place}.part`, JSON.stringify([...keys]))
    await rename(`${place}.part`, place)
  }
  if (text === undefined) await add(existing ? [] : await filesIn(folder))
  return { has: (file: Seen) => keys.has(keyOf(file, chain)), add: (file: Seen) => add([file]) }
}
