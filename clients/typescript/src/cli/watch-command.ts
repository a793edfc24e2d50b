import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { isWorthRetrying, pause, trusted } from '../http.ts'
import { ApiError, FailedError, type MediaTimeline, MediaTimelineError, type WorkflowRun } from '../index.ts'
import { type Context, contextOf } from './context.ts'
import { keptFolder } from './credentials.ts'
import { freePlace, mediaUrlOf, save } from './media.ts'
import { describe, priceText } from './output.ts'
import { type AnyResult, filesOf } from './result-lines.ts'
import { chainOption, dollars, settingsOption } from './work-commands.ts'

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
    .requiredOption('--max-price <dollars>', 'at most these dollars a file', dollars)
    .addOption(settingsOption())
    .option('-o, --output <folder>', 'save what it makes here, in a folder for each file')
    .option('--existing', 'also the files that were there before')
    .action(async (folder: string, options: WatchOptions, command: Command) =>
      watch(await contextOf(command), path.resolve(folder), options),
    )
}

interface WatchOptions {
  readonly run: string
  readonly maxPrice: number
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
  await assertAllowed(context, client)
  const files = await openStates(folder, options)
  const before = new Map<string, string>()
  const isWhole = ({ name, modifiedMs }: Seen, key: string) => {
    const isSame = before.get(name) === key
    before.set(name, key)
    return isSame && Date.now() - modifiedMs >= quietSeconds * 1000
  }
  sayWhatHappens(context, folder, options, files.left)
  try {
    while (!signal.aborted) {
      let hasWorked = false
      for (const file of await filesIn(folder)) {
        const key = keyOf(file, options.run)
        if (files.isOver(key) || !isWhole(file, key)) continue
        if (await runOn(context, client, path.join(folder, file.name), options, { key, files })) hasWorked = true
      }
      if (hasWorked) output.note(waiting)
      await pause(lookSeconds, signal)
    }
  } finally {
    output.note(
      'To go on, start the same command again: what is uploaded stays uploaded, a run that has begun is waited for, and files that came meanwhile are taken.',
    )
  }
}

/** Throws if the key is wrong: later, nobody may be there to read it. A service that is away is waited for. */
async function assertAllowed({ output, signal }: Context, client: MediaTimeline): Promise<void> {
  try {
    await client.workflowRuns.list({ limit: 1 }, { signal })
  } catch (error) {
    if (!isWorthRetrying(error)) throw error
    output.note(describe(error).message)
  }
}

const waiting = 'Waiting for new files. Ctrl-C ends it.'

function sayWhatHappens({ output }: Context, folder: string, { run, output: to }: WatchOptions, left: number): void {
  output.note(`Watching ${folder}: ${run} runs on each new file.`)
  if (left > 0)
    output.note(`Files that were there before are left alone: ${left}. With --existing, it runs on them too.`)
  if (to === undefined)
    output.note('What it makes stays at the service, where "media-timeline runs get <id>" shows it. --output saves it.')
  output.note(waiting)
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
  /** The run before this one, whose reason to fail may have passed. */
  readonly failed?: string | undefined
  readonly files: FileStates
}

/** Codes of runs that can succeed at the next start: with another limit or cap, or at a service that works again. */
const passing = new Set(['price_limit_reached', 'spend_cap_reached', 'server_error'])

function canPassNow({ error, price_limit_usd }: WorkflowRun, { maxPrice }: WatchOptions): boolean {
  if (!error || !passing.has(error.code)) return false
  return error.code !== 'price_limit_reached' || maxPrice > price_limit_usd
}

const isCode = (error: unknown, code: string) => error instanceof ApiError && error.code === code

function isToWait(error: unknown): boolean {
  return isWorthRetrying(error) || isCode(error, 'storage_limit_reached') || isCode(error, 'idempotency_conflict')
}

const isGone = async (file: string) => !(await stat(file).catch(() => undefined))

/** Returns whether the file is over, for now. It is not while the service is away, the account full, or another command about to start it: then it waits. */
async function runOn(
  context: Context,
  client: MediaTimeline,
  file: string,
  options: WatchOptions,
  attempt: Attempt,
): Promise<boolean> {
  const { output, signal } = context
  const { key, files } = attempt
  const to = options.output
  const name = path.basename(file)
  try {
    const { id } = await beginRun(context, client, file, options, attempt)
    const run = await client.workflowRuns.wait(id, { signal, onProgress: (part) => output.progress(name, part) })
    if (to !== undefined) await saveMade(run, path.join(to, name), files, signal)
    output.result({ file, run }, () => [`${name}\t${run.id}\t${run.status}\t${priceText(run.price_usd)}`])
    await files.set(key, 'done')
  } catch (error) {
    if (isToWait(error)) {
      output.note(`${name} waits: ${output.ofService(describe(error).message)}`)
      await pause(retrySeconds, signal)
      return false
    }
    if (!isOfFile(error) && !signal.aborted && (await isGone(file))) {
      output.note(`${name} is there no more.`)
      return true
    }
    if (!isOfFile(error)) throw error
    const { code, message } = error
    output.result({ file, error: { code, message } }, () => [
      `${name}\t${verdictOf(error)}\t${output.ofService(message)}`,
    ])
    if (passing.has(code) || (error instanceof ApiError && files.mediaUrlOf(key) !== undefined)) files.refuse(key)
    else await files.set(key, 'done')
  }
  return true
}

/** The run of a file: one that was started before a restart, or a new one. */
async function beginRun(
  context: Context,
  client: MediaTimeline,
  file: string,
  options: WatchOptions,
  attempt: Attempt,
): Promise<WorkflowRun> {
  const { signal } = context
  const [known] = (await client.workflowRuns.list({ metadata: { watched: attempt.key }, limit: 1 }, { signal })).items
  if (known && !canPassNow(known, options)) return known
  return await startRun(context, client, file, options, { ...attempt, failed: known?.id })
}

async function saveMade({ id, result = {} }: WorkflowRun, to: string, files: FileStates, signal: AbortSignal) {
  for (const each of filesOf(trusted<AnyResult>(result))) {
    const place = path.join(to, path.basename(each.name))
    // An earlier attempt may have ended between two files.
    if (files.saved.has(`${id} ${place}`)) continue
    await save(each, await freePlace(place), signal)
    files.saved.add(`${id} ${place}`)
  }
}

/** Starts the run of a file, which is uploaded unless an earlier attempt has done that. */
async function startRun(
  { output, signal }: Context,
  client: MediaTimeline,
  file: string,
  { run: chain, maxPrice, settings }: WatchOptions,
  { key, files, failed }: Attempt,
): Promise<WorkflowRun> {
  const startWith = async (media_url: string) => {
    const limits = { max_price_usd: maxPrice, ...(settings && { settings }) }
    const request = { media_url, metadata: { watched: key }, ...limits }
    output.begins()
    // Of two that watch the same folder, one starts the run.
    const run = await client.workflowRuns.start(chain, request, {
      signal,
      idempotencyKey: ['watch', key, failed].filter(Boolean).join('_'),
    })
    output.begins(run.id)
    output.note(`${path.basename(file)}: ${run.id} has begun.`)
    return run
  }
  const upload = async () => {
    const mediaUrl = await mediaUrlOf(client, file, output, signal)
    await files.set(key, mediaUrl)
    return mediaUrl
  }
  const uploaded = files.mediaUrlOf(key)
  if (uploaded === undefined) return await startWith(await upload())
  return await startWith(uploaded).catch(async (error: unknown) => {
    // The upload was deleted since.
    if (isCode(error, 'not_found')) return await startWith(await upload())
    throw error
  })
}

/** Whether the service refuses this file, or its run, or its run failed. */
function isOfFile(error: unknown): error is ApiError | FailedError {
  if (error instanceof ApiError)
    return [400, 413, 415, 422].includes(error.status) || error.code === 'price_limit_reached'
  return error instanceof FailedError
}

/** A run that found nothing, or that somebody canceled, has not failed. */
function verdictOf(error: ApiError | FailedError): string {
  if (error instanceof ApiError) return 'refused'
  return ['nothing_found', 'canceled'].includes(error.code) ? error.code.replace('_', ' ') : 'failed'
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

type FileStates = Awaited<ReturnType<typeof openStates>>

/**
 * What is known of the files of a folder, kept over restarts: `done`, `left` alone because the command first started after them, or the
 * media_url of the upload.
 */
async function openStates(folder: string, { run: chain, existing }: WatchOptions) {
  const id = createHash('sha256')
    .update(JSON.stringify([folder, chain]))
    .digest('hex')
    .slice(0, 16)
  const place = keptFolder(`watched/${id}.json`, 'XDG_STATE_HOME', path.join('.local', 'state'))
  const text = await readFile(place, 'utf8').catch(() => undefined)
  const states = new Map(Object.entries(trusted<Record<string, string>>(JSON.parse(text ?? '{}'))))
  const present = (await filesIn(folder)).map((file) => keyOf(file, chain))
  if (text === undefined && !existing) for (const key of present) states.set(key, 'left')
  const keep = async () => {
    await mkdir(path.dirname(place), { recursive: true })
    await writeFile(`${place}.part`, JSON.stringify(Object.fromEntries(states)))
    await rename(`${place}.part`, place)
  }
  if (text === undefined) await keep()
  const refused = new Set<string>()
  const saved = new Set<string>()
  const isLeft = (key: string) => !existing && states.get(key) === 'left'
  return {
    /** How many files that are there are left alone. */
    left: present.filter(isLeft).length,
    saved,
    isOver: (key: string) => isLeft(key) || refused.has(key) || states.get(key) === 'done',
    /** Until the command starts again, maybe with other options. */
    refuse: (key: string) => void refused.add(key),
    mediaUrlOf: (key: string) => {
      const state = states.get(key)
      return state === 'left' || state === 'done' ? undefined : state
    },
    set: async (key: string, state: string) => {
      states.set(key, state)
      await keep()
    },
  }
}
