import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { trusted } from '../http.ts'
import { type ExportFormat, type ExportOptions, MediaTimeline, MediaTimelineError } from '../index.ts'
import { exportLists } from './commands.gen.ts'
import { contextOf } from './context.ts'
import { forgetCredentials, keepCredentials } from './credentials.ts'
import { loginInBrowser } from './login.ts'
import { priceText } from './output.ts'
import { type AnyResult, hasList } from './result-lines.ts'

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
    .requiredOption('--as <format>', 'csv, vtt, srt, labels, chapters, edl, fcpxml, xmeml, otio, ffmpeg')
    .option(
      '--list <name>',
      'the list of the result, such as silences; otherwise the first with entries, which it names',
    )
    .option('--what <purpose>', 'markers on the whole media, or cuts')
    .option('--jobs <ids>', 'further jobs whose entries are markers, separated by commas')
    .option('--fps <rate>', 'frames a second of the timeline')
    .option('-o, --output <path>', 'save it here')
    .action(async (id: string, { as, output: to, ...flags }: ExportFlags, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const { jobs, workflowRuns } = await client()
      const isJob = !id.startsWith('run_')
      const text = await (isJob ? jobs : workflowRuns).export(id, as, { signal, ...flags })
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
    .description('Show jobs and costs by day and endpoint, of this month or between two days.')
    .option('--from <day>', 'such as 2026-11-01')
    .option('--to <day>', 'included')
    .action(async (days: { from?: string; to?: string }, command: Command) => {
      const { output, client, signal } = await contextOf(command)
      const usage = await (await client()).usage(days, { signal })
      output.result(usage, () => [
        ...usage.usage.map(({ day = '', endpoint = '', jobs_completed, amount_usd }) =>
          [day, endpoint, jobsText(jobs_completed), priceText(amount_usd)].join('\t'),
        ),
        `total\t\t${jobsText(usage.total.jobs_completed)}\t${priceText(usage.total.amount_usd)}`,
      ])
    })
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

interface ExportFlags extends Pick<ExportOptions, 'list' | 'what' | 'jobs' | 'fps'> {
  readonly as: ExportFormat
  readonly output?: string
}

function jobsText(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`
}

async function readStdin(): Promise<string> {
  process.stdin.setEncoding('utf8')
  const parts = trusted<string[]>(await process.stdin.toArray())
  return parts.join('')
}
