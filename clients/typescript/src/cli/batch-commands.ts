import path from 'node:path'
import type { Command } from 'commander'
import { trusted } from '../http.ts'
import { FailedError, type MediaTimeline, MediaTimelineError } from '../index.ts'
import type { BatchItem, Directive, Schemas } from '../types.ts'
import { begin } from './begin.ts'
import { chainCommands } from './commands.gen.ts'
import { type Context, contextOf } from './context.ts'
import { assertFree, assertReadable, mediaUrlOf, type SaveOptions, saveAll } from './media.ts'
import { describe, priceText } from './output.ts'
import { type AnyResult, filesOf } from './result-lines.ts'
import {
  addSettings,
  chainOption,
  chainSettings,
  dollars,
  forceOption,
  settingsOption,
  type WorkOptions,
} from './work-commands.ts'

const group = 'Chains of them:'

type Chain = NonNullable<Schemas['BatchRequest']['workflow_id']>

/** As the service takes. */
const maxMedia = 1000

interface BatchOptions extends WorkOptions {
  readonly maxPrice: number
  readonly cap?: number
}

/** One chain for many files, and for each upload that arrives. */
export function addBatchCommands(program: Command): void {
  const batch = program
    .command('batch')
    .helpGroup(group)
    .description('Run a chain on many files or URLs, within one cap, and wait for the end.')
  for (const [chain, { summary, settings }] of Object.entries(chainCommands)) {
    const command = batch
      .command(chain)
      .helpGroup(group)
      .description(summary)
      .argument('<media...>', 'files or URLs')
      .requiredOption('--max-price <dollars>', 'at most these dollars a file', dollars)
      .option('--cap <dollars>', 'at most these dollars in all; otherwise --max-price for each file', dollars)
      .option('-o, --output <folder>', 'save what it makes in this folder')
      .addOption(forceOption())
    addSettings(command, settings).action(async (media: string[], options: BatchOptions) =>
      runBatch(await contextOf(command), trusted<Chain>(chain), media, options),
    )
  }
  const directives = program
    .command('directives')
    .helpGroup(group)
    .description('List what runs on each upload that arrives, or create, stop or delete it.')
  directives
    .command('list', { isDefault: true })
    .description('List directives.')
    .action(async (_, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const { items } = await (await client()).directives.list({ signal })
      output.result(items, () => items.map(directiveLine), 'id\tstatus\tchain\tmatch\tcost')
    })
  directives
    .command('create')
    .description('Run a chain on each upload that arrives and matches.')
    .addOption(chainOption())
    .addOption(settingsOption())
    .requiredOption('--max-price <dollars>', 'at most these dollars an upload', dollars)
    .requiredOption('--monthly-cap <dollars>', 'at most these dollars a month', dollars)
    .requiredOption('--match <name>', 'the file names that match, such as "talk-*.mp4", or "*" for all')
    .action(async ({ run, settings, match, maxPrice, monthlyCap }: DirectiveOptions, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const limits = { max_price_usd: maxPrice, monthly_cap_usd: monthlyCap }
      const request = { workflow_id: run, match: { file_name: match }, ...(settings && { settings }), ...limits }
      const directive = await (await client()).directives.create(request, { signal })
      output.result(directive, () => [directiveLine(directive)])
    })
  for (const [name, enabled] of [['on', true] as const, ['off', false] as const])
    directives
      .command(`${name} <id>`)
      .description(`Turn a directive ${name}.`)
      .action(async (id: string, _, command: Command) => {
        const { output, client, signal } = await contextOf(command)
        const directive = await (await client()).directives.change(id, { enabled }, { signal })
        output.result(directive, () => [directiveLine(directive)])
      })
  directives
    .command('delete <id>')
    .description('Delete a directive. Its runs stay.')
    .action(async (id: string, _, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const deletion = await (await client()).directives.delete(id, { signal })
      output.result(deletion, () => [`${id} is deleted.`])
    })
}

async function runBatch(context: Context, chain: Chain, media: readonly string[], options: BatchOptions) {
  const { output, signal } = context
  const { maxPrice, cap = Number((maxPrice * media.length).toFixed(6)) } = options
  if (media.length > maxMedia) throw new MediaTimelineError(`A batch has at most ${maxMedia} media.`)
  await assertFree(options)
  for (const each of media) await assertReadable(each)
  const client = await context.client()
  const media_urls: string[] = []
  for (const each of media) media_urls.push(await mediaUrlOf(client, each, output, signal))
  const work = { workflow_id: chain, settings: chainSettings(chain, options), media_urls }
  const request = { ...work, max_price_usd: maxPrice, cap_usd: cap }
  const { id } = await begin(context, (once) => client.batches.create(request, once))
  const batch = await client.batches.wait(id, { signal, onProgress: (part) => output.progress(chain, part) })
  const items: BatchItem[] = []
  for await (const item of client.batches.items(id, { limit: 100 }, { signal })) items.push(item)
  const lines: string[] = []
  let unsaved = 0
  const own = new Set<string>()
  for (const [index, item] of items.entries()) {
    const saved = await saveItem(context, client, item, { ...options, own }).catch((error: unknown) => {
      signal.throwIfAborted()
      unsaved += 1
      return [describe(error).message]
    })
    lines.push(itemLine(media[index] ?? '', item, item.error ? [output.ofService(item.error.message)] : saved))
  }
  output.result({ ...batch, items }, () => lines)
  output.note(`${id} cost ${priceText(batch.spent_usd)}.`)
  if (unsaved > 0)
    throw new MediaTimelineError(
      `The files of ${unsaved} of ${media.length} could not be saved. "media-timeline runs get <id>" shows their addresses.`,
    )
  const { failed } = batch.items
  if (failed === 0) return
  const code = batch.status === 'canceled' ? 'canceled' : 'processing_failed'
  throw new FailedError(`${failed} of ${media.length} failed.`, { code, id })
}

/** Where the files of a run are saved, if they are to be. */
async function saveItem(
  { signal }: Context,
  client: MediaTimeline,
  { run_id, status }: BatchItem,
  options: SaveOptions,
): Promise<readonly string[]> {
  if (options.output === undefined || run_id === undefined || status !== 'completed') return []
  const { result = {} } = await client.workflowRuns.get(run_id, { signal })
  return saveAll(filesOf(trusted<AnyResult>(result)), options, signal)
}

interface DirectiveOptions {
  readonly run: Chain
  readonly settings?: Record<string, Record<string, unknown>>
  readonly match: string
  readonly maxPrice: number
  readonly monthlyCap: number
}

function itemLine(media: string, { status, run_id = '' }: BatchItem, more: readonly string[]): string {
  return [path.basename(media), status, run_id, ...more].join('\t')
}

function directiveLine({ id, status, workflow_id, match, spent_usd, monthly_cap_usd }: Directive): string {
  return [id, status, workflow_id, match.file_name, `${priceText(spent_usd)} of ${priceText(monthly_cap_usd)}`].join(
    '\t',
  )
}
