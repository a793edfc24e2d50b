import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { trusted } from '../http.ts'
import { type ExportFormat, type ExportOptions, MediaTimeline, MediaTimelineError, type Usage } from '../index.ts'
import { exportFormats, exportLists, exportOptions } from './commands.gen.ts'
import { contextOf } from './context.ts'
import { forgetCredentials, keepCredentials } from './credentials.ts'
import { loginInBrowser } from './login.ts'
import { assertFree, type SaveOptions } from './media.ts'
import { priceText } from './output.ts'
import { type AnyResult, hasList } from './result-lines.ts'
import { forceOption } from './work-commands.ts'

const group = 'Account:'

/** Login, exports and costs. */
export function addAccountCommands(program: Command): void {
  program
    .command('login')
    .helpGroup(group)
    .description('Get an API key in the browser, with a scope and a cap that you choose, and keep it on this machine.')
    .option('--api-key-stdin', 'read a key from stdin instead')
    .action(async ({ apiKeyStdin }: { apiKeyStdin?: true }, command: Command) => {
      const { output, url, signal } = await contextOf(command)
      const apiKey = apiKeyStdin ? (await readStdin()).trim() : await loginInBrowser({ url, output, signal })
      if (!apiKey)
        throw new MediaTimelineError('Stdin is empty. Send the key: media-timeline login --api-key-stdin < key.txt')
      await new MediaTimeline({ apiKey, baseUrl: url }).jobs.list({ limit: 1 }, { signal })
      output.note(
        `Logged in at ${url}. The key is in ${await keepCredentials({ url, apiKey })}, which only you can read.`,
      )
    })

  program
    .command('logout')
    .helpGroup(group)
    .description('Forget the key. It stays valid: revoke it in the dashboard.')
    .action(forgetCredentials)

  program
    .command('export <id>')
    .helpGroup(group)
    .description('Write what a job or a run found as a file for editors, players and spreadsheets.')
    .requiredOption('--as <format>', `one of ${Object.keys(exportFormats).join(', ')}: see below`)
    .option(
      '--list <name>',
      'the list of the result, such as silences; otherwise the first with entries, which it names',
    )
    .option('--what <purpose>', exportOptions.what)
    .option('--jobs <ids>', exportOptions.jobs)
    .option('--fps <rate>', exportOptions.fps)
    .option('-o, --output <path>', 'save it here')
    .addOption(forceOption())
    .addHelpText('after', `\nFormats:\n${Object.entries(exportFormats).map(formatLine).join('\n')}`)
    .action(async (id: string, options: ExportFlags, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const { as, output: to, force: _, ...flags } = options
      await assertFree(options)
      const { jobs, workflowRuns } = await client()
      const isJob = !id.startsWith('run_')
      const onWarning = (warning: string) => output.note(`Warning: ${output.ofService(warning)}`)
      const text = await (isJob ? jobs : workflowRuns).export(id, as, { signal, onWarning, ...flags })
      if (to === undefined) process.stdout.write(text)
      else {
        await writeFile(to, text)
        output.result({ file: to }, () => [to])
      }
      // Captions have what is said, and the export of a run the ranges that it kept.
      if (output.isJson || !isJob || flags.list !== undefined || as === 'vtt' || as === 'srt') return
      const { endpoint, result } = await jobs.get(id, { signal })
      const note = noteOnLists(endpoint, result ?? {})
      if (note !== undefined) output.note(note)
    })

  program
    .command('usage')
    .helpGroup(group)
    .description('Show jobs and costs by day, endpoint and key, of this month or between two days.')
    .option('--from <day>', 'such as 2026-11-01')
    .option('--to <day>', 'included')
    .action(async (between: { from?: string; to?: string }, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const usage = await (await client()).usage(between, { signal })
      const lineOf = (names: readonly string[], { jobs_completed, amount_usd }: Spent) =>
        [...names, jobsText(jobs_completed), priceText(amount_usd)].join('\t')
      // Keys may have one name.
      const keys = new Map(usage.usage.map(({ key_id, key_name }) => [key_id, key_name]))
      const isShared = (name: string) => [...keys.values()].filter((other) => other === name).length > 1
      const keyOf = (name?: string, id?: string | null) =>
        name && isShared(name) ? `${name} (${id})` : (name ?? id ?? 'dashboard')
      const rowsOf = (rows: Usage['usage']) =>
        rows.map(({ day = '', endpoint = '', key_name, key_id, ...row }) =>
          lineOf([day, endpoint, keyOf(key_name, key_id)], row),
        )
      const days = [...new Set(usage.usage.map(({ day = '' }) => day))]
      const linesOfDay = (day: string) => {
        const rows = usage.usage.filter((row) => row.day === day)
        return rows.length > 1 ? [...rowsOf(rows), lineOf([day, 'total', ''], totalOf(rows))] : rowsOf(rows)
      }
      const lines = () => [...days.flatMap(linesOfDay), lineOf(['total', '', ''], usage.total)]
      output.result(usage, lines, 'day\tendpoint\tkey\tjobs\tcost')
    })
}

/** Of a day, whose rows are by endpoint and key. */
function totalOf(rows: readonly Spent[]): Spent {
  const sumOf = (name: keyof Spent) => rows.reduce((sum, row) => sum + row[name], 0)
  return { jobs_completed: sumOf('jobs_completed'), amount_usd: sumOf('amount_usd') }
}

/** A person who exports silences would take the sound between them for these. */
function noteOnLists(endpoint: string, result: AnyResult): string | undefined {
  const lists = Object.entries(exportLists[endpoint] ?? {}).filter(([name]) => hasList(result, name))
  const [name, noun] = lists[0] ?? []
  const others = lists.filter(([, other]) => other !== noun)
  if (others.length === 0) return undefined
  const choices = others.map(([other]) => `--list ${other}`).join(' or ')
  return `Each entry is a ${noun}, of the list ${name}. For another list: ${choices}.`
}

type Spent = Pick<Usage['total'], 'jobs_completed' | 'amount_usd'>

type ExportFlags = Pick<ExportOptions, 'list' | 'what' | 'jobs' | 'fps'> & SaveOptions & { readonly as: ExportFormat }

function formatLine([name, programs]: readonly [string, string]): string {
  return `  ${name.padEnd(10)}${programs}`
}

function jobsText(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}

async function readStdin(): Promise<string> {
  process.stdin.setEncoding('utf8')
  const parts = trusted<string[]>(await process.stdin.toArray())
  return parts.join('')
}
