import { type Command, InvalidArgumentError } from 'commander'
import type { Job, List, ListFilters, MediaTimeline, RequestOptions, WorkflowRun } from '../index.ts'
import { contextOf } from './context.ts'
import { priceText } from './output.ts'
import { tableOf } from './result-lines.ts'

/** What jobs and runs have alike. */
interface Kind<T extends Job | WorkflowRun> {
  /** The command, which is what many of them are called. */
  readonly plural: string
  readonly singular: string
  readonly of: (client: MediaTimeline) => {
    readonly list: (filters: ListFilters, options: RequestOptions) => List<T>
    readonly get: (id: string, options: RequestOptions) => Promise<T>
    readonly cancel: (id: string, options: RequestOptions) => Promise<T>
    readonly delete: (id: string, options: RequestOptions) => Promise<object>
  }
  readonly line: (entry: T) => string
  /** The name of the column of endpoints or chains. */
  readonly work: string
  /** What it found, a line each. */
  readonly found: (entry: T) => readonly string[]
}

const pageEntries = 100

/** `jobs` and `runs`. */
export function addListCommands(program: Command): void {
  addKind<Job>(program, {
    ...{ plural: 'jobs', singular: 'job', work: 'endpoint', of: ({ jobs }) => jobs },
    line: ({ endpoint, final_price_usd, ...job }) => lineOf(job, endpoint, final_price_usd),
    found: ({ endpoint, settings, result = {} }) =>
      tableOf(result, endpoint === 'audio/find-words' && (settings?.queries?.length ?? 0) > 0).lines,
  })
  addKind<WorkflowRun>(program, {
    ...{ plural: 'runs', singular: 'run of a chain', work: 'chain', of: ({ workflowRuns }) => workflowRuns },
    line: ({ workflow_id, price_usd, ...run }) => lineOf(run, workflow_id, price_usd),
    found: ({ result = {} }) => tableOf(result).lines,
  })
}

function addKind<T extends Job | WorkflowRun>(program: Command, kind: Kind<T>): void {
  const { plural, singular, work, of, line, found } = kind
  const group = program
    .command(plural)
    .helpGroup('Account:')
    .description(`List ${plural}, the newest first, or act on one.`)
  group
    .command('list', { isDefault: true })
    .description(`List ${plural}, the newest first.`)
    .option('--limit <count>', 'how many', count, 20)
    .option('--status <status>', 'queued, running, completed or failed')
    .action(async ({ limit, status }: { limit: number } & Pick<ListFilters, 'status'>, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const filters = { limit: Math.min(limit + 1, pageEntries), ...(status && { status }) }
      const entries: T[] = []
      for await (const entry of of(await client()).list(filters, { signal })) {
        entries.push(entry)
        if (entries.length > limit) break
      }
      const shown = entries.slice(0, limit)
      output.result(shown, () => shown.map(line), ['id', 'status', work, 'cost', 'created', 'media'].join('\t'))
      if (entries.length > limit) output.note(`There are older ${plural}. --limit ${limit * 5} shows more.`)
    })
  group
    .command('get <id>')
    .description(`Show a ${singular} with its result, or why it failed.`)
    .action(async (id: string, _, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const entry = await of(await client()).get(id, { signal })
      output.result(entry, () => [
        line(entry),
        ...(entry.error ? [output.ofService(entry.error.message)] : found(entry)),
      ])
    })
  group
    .command('cancel <id>')
    .description(`Cancel a ${singular}. What it has not completed costs nothing.`)
    .action(async (id: string, _, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const entry = await of(await client()).cancel(id, { signal })
      output.result(entry, () => [line(entry)])
    })
  group
    .command('delete <id>')
    .description(`Erase a ${singular} with its results and files.`)
    .action(async (id: string, _, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const deletion = await of(await client()).delete(id, { signal })
      output.result(deletion, () => [`${id} is erased.`])
    })
}

function count(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('Give a whole number from 1.')
}

type Listed = Pick<Job | WorkflowRun, 'id' | 'status' | 'status_detail' | 'media' | 'created_at'>

/** `status_detail` says what is canceled, or soon will be. */
function lineOf({ id, media, ...entry }: Listed, work: string, priceUsd: number | undefined): string {
  const status = entry.status_detail ?? entry.status
  // Days and minutes of the clock of this machine.
  const created = new Date(entry.created_at).toLocaleString('sv').slice(0, 16)
  return [id, status, work, priceText(priceUsd), created, media?.name ?? media?.host ?? ''].join('\t')
}
