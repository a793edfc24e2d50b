import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { type AccountEvent, MediaTimelineError } from '../index.ts'
import { signWebhook } from '../webhooks.ts'
import { type Context, contextOf } from './context.ts'

interface ListenOptions {
  readonly forwardTo?: string
  readonly type?: string
}

/** `listen`: prints what happens in the account, and sends it to a program on this machine, signed as webhooks are. */
export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .helpGroup('Account:')
    .description('Print events as they happen, and forward them to a program on this machine. Ends with Ctrl-C.')
    .option('--forward-to <address>', 'where to send each event, as a webhook, such as http://127.0.0.1:8080/webhooks')
    .option('--type <type>', 'only these events, such as job.completed')
    .action(async (options: ListenOptions, command: Command) => listen(await contextOf(command), options))
}

async function listen(context: Context, { forwardTo, type }: ListenOptions): Promise<void> {
  const { output, signal } = context
  if (forwardTo !== undefined && !URL.canParse(forwardTo))
    throw new MediaTimelineError(`${forwardTo} is no address. Give one that begins with http.`)
  const client = await context.client()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  if (forwardTo !== undefined) {
    output.note(`Events go to ${forwardTo}, signed with ${secret}`)
    output.result({ forward_to: forwardTo, secret }, () => [])
  }
  output.note('Waiting for events. Ctrl-C ends it.')
  for await (const event of client.events({ after: 'latest', ...(type !== undefined && { type }) }, { signal })) {
    const status = forwardTo === undefined ? undefined : await forward(forwardTo, event, secret, signal)
    output.result({ event, ...(status !== undefined && { status }) }, () => [
      [event.timestamp, event.type, event.id, status ?? ''].join('\t').trimEnd(),
    ])
  }
}

/** The status of the answer, or why there is none. */
async function forward(
  address: string,
  { id, ...content }: AccountEvent,
  secret: string,
  signal: AbortSignal,
): Promise<string> {
  const body = JSON.stringify(content)
  const headers = { 'content-type': 'application/json', ...signWebhook(id, body, secret) }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(15_000)])
  return await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: limit }).then(
    ({ status }) => String(status),
    () => 'no answer',
  )
}
