import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { isWorthRetrying, pause, trusted } from '../http.ts'
import { ApiError, FailedError, type MediaTimeline, MediaTimelineError } from '../index.ts'
import { type Context, contextOf } from './context.ts'
import { keptFolder } from './credentials.ts'
import { mediaUrlOf } from './media.ts'
import { priceText } from './output.ts'
import { chainOption, dollars } from './work-commands.ts'

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
    .option('--existing', 'also the files that are there')
    .action(async (folder: string, options: WatchOptions, command: Command) =>
      watch(await contextOf(command), path.resolve(folder), options),
    )
}

interface WatchOptions {
  readonly run: string
  readonly maxPrice?: number
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
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new MediaTimelineError(`There is no folder ${folder}.`)
  const done = await openDone(folder, options)
  const before = new Map<string, string>()
  output.note(`Watching ${folder}. Ctrl-C ends it.`)
  while (!signal.aborted) {
    for (const file of await filesIn(folder)) {
      if (done.has(file)) continue
      const isSame = before.get(file.name) === keyOf(file, options.run)
      before.set(file.name, keyOf(file, options.run))
      if (!isSame || Date.now() - file.modifiedMs < quietSeconds * 1000) continue
      const isDone = await runOn(context, client, path.join(folder, file.name), options, keyOf(file, options.run))
      if (isDone) await done.add(file)
    }
    await pause(lookSeconds, signal)
  }
}

/** A file that the service refuses, and a run that fails, are told and not tried again. False: the service is away, and the file waits for it. */
async function runOn(
  { output, signal }: Context,
  client: MediaTimeline,
  file: string,
  { run: chain, maxPrice }: WatchOptions,
  idempotencyKey: string,
): Promise<boolean> {
  const name = path.basename(file)
  try {
    // A run that was started before a restart: another upload of its file would have another media_url.
    const metadata = { watched: idempotencyKey }
    const [known] = (await client.workflowRuns.list({ metadata, limit: 1 }, { signal })).items
    const start = async () => {
      const media_url = await mediaUrlOf(client, file, output, signal)
      const request = { media_url, metadata, ...(maxPrice !== undefined && { max_price_usd: maxPrice }) }
      return await client.workflowRuns.start(chain, request, { signal })
    }
    const run = await client.workflowRuns.wait((known ?? (await start())).id, { signal })
    output.result({ file, run }, () => [`${name}\t${run.id}\t${run.status}\t${priceText(run.price_usd)}`])
  } catch (error) {
    if (isWorthRetrying(error)) {
      output.note(`${name} waits: ${error instanceof Error ? error.message : String(error)}`)
      await pause(retrySeconds, signal)
      return false
    }
    const isRefused = error instanceof ApiError && [400, 413, 415, 422].includes(error.status)
    if (!isRefused && !(error instanceof FailedError)) throw error
    const { code, message } = error
    output.result({ file, error: { code, message } }, () => [`${name}\tfailed\t${message}`])
  }
  return true
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
