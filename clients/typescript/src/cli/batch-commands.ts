import path from 'node:path'
import type { Command } from 'commander'
import { FailedError, MediaTimelineError } from '../index.ts'
import type { BatchItem, Directive, Schemas } from '../types.ts'
import { contextOf } from './context.ts'
import { assertReadable, mediaUrlOf } from './media.ts'
import { priceText } from './output.ts'
import { chainOption, dollars } from './work-commands.ts'

const group = 'Chains of them:'

type Chain = NonNullable<Schemas['BatchRequest']['workflow_id']>

/** As the service takes. */
const maxMedia = 1000

interface BatchOptions {
  readonly run: Chain
  readonly maxPrice: number
  readonly cap?: number
}

/** One chain for many files, and for each upload that arrives. */
export function addBatchCommands(program: Command): void {
  program
    .command('batch <media...>')
    .helpGroup(group)
    .description('Run a chain on many files or URLs, within one cap, and wait for the end.')
    .addOption(chainOption())
    .requiredOption('--max-price <usd>', 'at most these dollars a file', dollars)
    .option('--cap <usd>', 'at most these dollars in all; otherwise --max-price for each file', dollars)
    .action(async (media: string[], { run, maxPrice, cap }: BatchOptions, command: Command) => {
      const { output, client: connected, signal } = await contextOf(command)
      if (media.length > maxMedia) throw new MediaTimelineError(`A batch has at most ${maxMedia} media.`)
      for (const each of media) await assertReadable(each)
      const client = await connected()
      const media_urls: string[] = []
      for (const each of media) media_urls.push(await mediaUrlOf(client, each, output, signal))
      const cap_usd = cap ?? Number((maxPrice * media.length).toFixed(6))
      const request = { workflow_id: run, media_urls, max_price_usd: maxPrice, cap_usd }
      const onProgress = (part: number) => output.progress(run, part)
      const { id } = await client.batches.create(request, { signal })
      output.note(`${id} runs.`)
      const batch = await client.batches.wait(id, { signal, onProgress })
      const items: BatchItem[] = []
      for await (const item of client.batches.items(batch.id, { limit: 100 }, { signal })) items.push(item)
      output.result({ ...batch, items }, () => items.map((item, index) => itemLine(media[index] ?? '', item)))
      output.note(`${batch.id} cost ${priceText(batch.spent_usd)}.`)
      const { failed } = batch.items
      if (failed === 0) return
      throw new FailedError(`${failed} of ${media.length} failed.`, {
        code: batch.status === 'canceled' ? 'canceled' : 'processing_failed',
        id,
      })
    })

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
      output.result(items, () => items.map(directiveLine))
    })
  directives
    .command('create')
    .description('Run a chain on each upload that arrives and matches.')
    .addOption(chainOption())
    .requiredOption('--max-price <usd>', 'at most these dollars an upload', dollars)
    .requiredOption('--monthly-cap <usd>', 'at most these dollars a month', dollars)
    .requiredOption('--match <name>', 'the file names that match, such as "talk-*.mp4", or "*" for all')
    .action(async ({ run, match, maxPrice, monthlyCap }: DirectiveOptions, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const limits = { max_price_usd: maxPrice, monthly_cap_usd: monthlyCap }
      const request = { workflow_id: run, match: { file_name: match }, ...limits }
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

interface DirectiveOptions {
  readonly run: Chain
  readonly match: string
  readonly maxPrice: number
  readonly monthlyCap: number
}

function itemLine(media: string, { status, run_id, error }: BatchItem): string {
  return [path.basename(media), status, run_id ?? '', ...(error ? [error.message] : [])].join('\t')
}

function directiveLine({ id, status, workflow_id, match, spent_usd, monthly_cap_usd }: Directive): string {
  return [id, status, workflow_id, match.file_name, `${priceText(spent_usd)} of ${priceText(monthly_cap_usd)}`].join(
    '\t',
  )
}
