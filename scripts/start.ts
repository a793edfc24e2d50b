import path from 'node:path'
import type { Command, Context } from './main.ts'
import { printMails } from './stack/print-mails.ts'
import { withStack } from './stack/stack.ts'
import { interruptedExitCode } from './stack/supervised.ts'

/** Runs the stack until Ctrl-C, the normal way to end it. */
export const startCommand: Command = async (context) => {
  const code = await withStack(context, ({ apiUrl, temporalAddress, temporalUiUrl }) => {
    console.log(`
Media Timeline is running.

  Dashboard        ${apiUrl}/dashboard
  API              ${apiUrl}
  API reference    ${apiUrl}/docs
  For agents       ${apiUrl}/mcp
  Temporal Web UI  ${temporalUiUrl ?? `of the server at ${temporalAddress}`}
  Logs             ${path.join(context.dataDir, 'logs')}

  Mails of this service, such as the one that confirms your address, are printed here.
  A new API key for the development account: ${dataDirPrefix(context)}npm run --silent key
  Ctrl-C stops everything; the data stays in ${context.dataDir}
`)
    printMails(context.dataDir, console.log)
    // Only a signal or a crash ends the stack.
    return new Promise<never>(() => {})
  })
  return code === interruptedExitCode ? 0 : code
}

/** The DATA_DIR prefix for printed commands, which find the stack by its data folder. */
function dataDirPrefix({ env }: Context): string {
  return env['DATA_DIR'] ? `DATA_DIR='${env['DATA_DIR']}' ` : ''
}
