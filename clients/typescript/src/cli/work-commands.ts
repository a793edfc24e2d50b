import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { trusted } from '../http.ts'
import { type EndpointId, type JobRequest, MediaTimelineError } from '../index.ts'
import { begin, whileBusy } from './begin.ts'
import { type CommandRow, chainCommands, endpointCommands, type SettingRow } from './commands.gen.ts'
import { type Context, contextOf } from './context.ts'
import { assertFree, mediaUrlOf, type SaveOptions, saveAll } from './media.ts'
import { flagOf } from './option-names.ts'
import { priceText } from './output.ts'
import { type AnyResult, filesOf, tableOf } from './result-lines.ts'

/** What people call an endpoint on a command line, where it is not the name of the endpoint. */
const shortNames: Readonly<Record<string, string>> = {
  'video/clip-window': 'cut',
  'audio/find-words': 'words',
  'audio/semantic-chunks': 'topics',
}

export interface WorkOptions extends SaveOptions {
  readonly maxPrice?: number
  readonly from?: string
  readonly to?: string
  readonly [setting: string]: unknown
}

/** A command for each endpoint that reads media, and for each chain, with an option for each of their settings. */
export function addWorkCommands(program: Command): void {
  const detect = program.command('detect').description('Find silence, energy or laughter.').helpGroup('Find and cut:')
  for (const [id, row] of Object.entries(endpointCommands)) {
    const name = shortNames[id] ?? id.replace(/^.*\//, '')
    const isDetection = name.startsWith('detect-')
    const [parent, ownName] = isDetection ? [detect, name.slice('detect-'.length)] : [program, name]
    const command = addWorkCommand(parent, ownName, row, id === 'video/clip-near' ? momentOption : windowOptions)
    command.helpGroup(isDetection ? 'Commands:' : 'Find and cut:')
    command.action(async (media: string, options: WorkOptions) =>
      runJob(await contextOf(command), trusted<EndpointId>(id), media, options),
    )
  }
  const run = program.command('run').description('Run a chain by its name.').helpGroup('Chains of them:')
  for (const [id, row] of Object.entries(chainCommands)) {
    for (const parent of [run, program]) {
      const command = addWorkCommand(parent, id, row, windowOptions).helpGroup('Chains of them:')
      command.action(async (media: string, options: WorkOptions) =>
        runChain(await contextOf(command), id, media, options),
      )
    }
  }
}

const windowOptions = [
  new Option(`${flagOf('start')} <time>`, 'where to begin, such as 62 or 1:02'),
  new Option(`${flagOf('end')} <time>`, 'where to end'),
]
const momentOption = [new Option(`${flagOf('start')} <time>`, 'the moment, such as 62 or 1:02')]

function addWorkCommand(
  parent: Command,
  name: string,
  { summary, settings }: CommandRow,
  times: readonly Option[],
): Command {
  const command = parent
    .command(name)
    .description(summary)
    .argument('<media>', 'a file, or a URL')
    .option('-o, --output <path>', 'save the files that it makes here: a file, or a folder')
    .addOption(forceOption())
    .option('--max-price <dollars>', 'refuse to pay more dollars', dollars)
  for (const time of times) command.addOption(time)
  return addSettings(command, settings)
}

export const forceOption = () => new Option('--force', 'replace files that are there already')

/** An option for each setting. */
export function addSettings(command: Command, settings: CommandRow['settings']): Command {
  for (const [setting, { text, isSwitch, choices }] of Object.entries(settings)) {
    const option = new Option(`${flagOf(setting)} ${isSwitch ? '[value]' : '<value>'}`, text)
    command.addOption(choices ? option.choices(choices) : option)
  }
  return command
}

/** The chain that another command runs. */
export const chainOption = () =>
  new Option('--run <chain>', 'the chain').choices(Object.keys(chainCommands)).makeOptionMandatory()

/** How commander names the value of a flag. */
const optionOf = (setting: string) => setting.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export function dollars(text: string): number {
  const usd = Number(text.replace(/^\$/, ''))
  if (text.trim() === '' || !(usd >= 0)) throw new InvalidArgumentError('Give dollars, such as 0.10.')
  return usd
}

/** The settings of that chain. */
export const settingsOption = () =>
  new Option(
    '--settings <json>',
    'settings of its steps, such as {"audio/detect-silence": {"threshold": -40}}',
  ).argParser(jsonOf)

/** An object that a person gives as JSON. */
function jsonOf(text: string): Record<string, Record<string, unknown>> {
  const value = jsonOr(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return trusted(value)
  throw new InvalidArgumentError('Give a JSON object.')
}

/** A setting as JSON where it is JSON: `-40`, `true`, `["intro"]`; otherwise the text itself, or its list. */
function settingOf(given: unknown, { isText, list }: SettingRow): unknown {
  if (typeof given !== 'string' || isText) return given
  if (!list || given.trimStart().startsWith('[')) return jsonOr(given)
  const entries = given.split(',').map((entry) => entry.trim())
  if (list === 'texts') return entries
  return entries.map((entry) => {
    const [start = '', end = '', ...more] = entry.split('-')
    if (start && end && more.length === 0) return { start: jsonOr(start), end: jsonOr(end) }
    throw new MediaTimelineError(`${entry} is no range. Give ranges such as 0:05-0:10,62-70.`)
  })
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function givenSettings(settings: CommandRow['settings'], options: WorkOptions): [string, unknown, SettingRow][] {
  return Object.entries(settings).flatMap(([name, row]): [string, unknown, SettingRow][] => {
    const given = options[optionOf(name)]
    return given === undefined ? [] : [[name, settingOf(given, row), row]]
  })
}

/** Files beside a clip. */
const captionEndings = ['srt', 'vtt']

/** A clip has the format that the name of its file asks for. */
async function withFormat({ format }: CommandRow['settings'], options: WorkOptions): Promise<WorkOptions> {
  const { output = '' } = options
  const ending = path.extname(output).slice(1).toLowerCase()
  if (!format?.choices || ending === '' || captionEndings.includes(ending) || options['format'] !== undefined)
    return options
  if (format.choices.includes(ending)) return { ...options, format: ending }
  if ((await stat(output).catch(() => undefined))?.isDirectory()) return options
  throw new MediaTimelineError(`${output}: a clip cannot be ${ending}. Choose one of ${format.choices.join(', ')}.`)
}

const windowOf = ({ from, to }: WorkOptions) => ({
  ...(from !== undefined && { start: from }),
  ...(to !== undefined && { end: to }),
})

const limitOf = ({ maxPrice }: WorkOptions) => maxPrice !== undefined && { max_price_usd: maxPrice }

async function runJob(context: Context, endpoint: EndpointId, media: string, options: WorkOptions): Promise<void> {
  const { output, signal } = context
  await assertFree(options)
  const { settings: rows = {} } = endpointCommands[endpoint] ?? {}
  const given = givenSettings(rows, await withFormat(rows, options))
  const client = await context.client()
  const media_url = await mediaUrlOf(client, media, output, signal)
  const settings = Object.fromEntries(given.map(([name, value]) => [name, value]))
  // The service checks the settings: they are text of the command line.
  const request = trusted<JobRequest<EndpointId>>({ endpoint, media_url, ...windowOf(options), settings })
  if (options.maxPrice !== undefined) {
    const { estimated_price_usd: price } = await whileBusy(context, () => client.jobs.estimate(request, { signal }))
    if (price > options.maxPrice)
      throw new MediaTimelineError(
        `It can cost ${priceText(price)}, which is more than ${priceText(options.maxPrice)}. Nothing was run. Raise --max-price, or give a shorter stretch with --from and --to.`,
      )
  }
  const started = await begin(context, (once) => client.jobs.create({ ...request, ...limitOf(options) }, once))
  const onProgress = (part: number) => output.progress(endpoint, part)
  await finish(context, await client.jobs.wait(started.id, { signal, onProgress }), options)
}

async function runChain(context: Context, id: string, media: string, options: WorkOptions): Promise<void> {
  const { output, signal } = context
  await assertFree(options)
  const settings = chainSettings(id, await withFormat(chainCommands[id]?.settings ?? {}, options))
  const client = await context.client()
  const media_url = await mediaUrlOf(client, media, output, signal)
  const request = {
    media_url,
    ...windowOf(options),
    settings,
    ...limitOf(options),
  }
  const started = await begin(context, (once) => client.workflowRuns.start(id, request, once))
  const run = await client.workflowRuns.wait(started.id, { signal, onProgress: (part) => output.progress(id, part) })
  await finish(context, run, options)
}

/** The settings of each step of a chain, of the flags of a command. */
export function chainSettings(id: string, options: WorkOptions): Record<string, Record<string, unknown>> {
  const settings: Record<string, Record<string, unknown>> = {}
  for (const [name, value, { steps = [] }] of givenSettings(chainCommands[id]?.settings ?? {}, options))
    for (const step of steps) settings[step] = { ...settings[step], [name]: value }
  return settings
}

interface Finished {
  readonly id: string
  readonly warnings: readonly string[]
  readonly result?: unknown
  readonly price_usd?: number
  readonly final_price_usd?: number
}

async function finish({ output, signal }: Context, finished: Finished, options: WorkOptions): Promise<void> {
  const result = trusted<AnyResult>(finished.result ?? {})
  for (const warning of finished.warnings) output.note(`Warning: ${output.ofService(warning)}`)
  const isSearch = options['queries'] !== undefined
  const files = options.output === undefined ? [] : filesOf(result)
  let problem: unknown
  const saved = await saveAll(files, options, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    problem = error
    return []
  })
  if (options.output !== undefined && files.length === 0)
    output.note(`It made no files. Save what it found with "media-timeline export ${finished.id} --as csv -o FILE".`)
  const { header, lines } = tableOf(result, isSearch)
  // What was sought is the result, whatever else it made.
  if (saved.length > 0 && isSearch) output.note(`Saved: ${saved.join(', ')}`)
  if (saved.length > 0 && !isSearch) output.result(finished, () => saved)
  else output.result(finished, () => lines, header)
  output.note(`${finished.id} cost ${priceText(finished.final_price_usd ?? finished.price_usd)}.`)
  if (problem) throw trusted<Error>(problem)
}
