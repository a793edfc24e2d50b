import { describeAccount } from '../accounts/describe-account.ts'
import { assertSigningSecret } from '../accounts/signing-check.ts'
import { exitWithMessage, readConfig } from '../config.ts'
import { readableJson } from '../core/text.ts'
import {
  accountCommands as commands,
  describeArguments,
  type GivenArguments,
  readArguments,
  type TakenArguments,
} from './account-commands.ts'
import { helpIfAsked } from './help.ts'
import { assertAccount, runOnDatabase } from './run-on-database.ts'

// Finds and changes accounts. Prints JSON: the accounts found, or the account as it is after the command.

const [name = '', ...given] = process.argv.slice(2)

helpIfAsked(usage())
const command = (Object.hasOwn(commands, name) ? commands[name] : undefined) ?? exitWithMessage(noCommand())
const args = argumentsOf(command)
await runOnDatabase(async (db) => {
  if (name === 'find') return print(await command.run(db, args))
  await assertAccount(db, args.subject)
  if (command.hashesMailboxes) await assertSigningSecret(db, readConfig())
  const report = await command.run(db, args)
  const { reportsAs } = command
  const account = await describeAccount({ db, config: readConfig() }, args.subject)
  print({ ...(reportsAs === undefined ? {} : { [reportsAs]: report }), ...account })
})

function argumentsOf(taken: TakenArguments): GivenArguments {
  try {
    return readArguments(given, taken)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return exitWithMessage(`${problem}\nusage: ${usageOf(name, taken)}`)
  }
}

function noCommand(): string {
  return name === '' ? usage() : `unknown command ${name}. Use ${Object.keys(commands).join(', ')}, or --help`
}

function usage(): string {
  const lines = Object.entries(commands).map(([each, taken]) => `  ${usageOf(each, taken)}\n      ${taken.summary}`)
  return ['Finds and changes accounts. Prints JSON.', ...lines].join('\n')
}

function usageOf(name: string, taken: TakenArguments): string {
  return `accounts.js ${name} ${describeArguments(taken)}`
}

function print(answer: unknown): void {
  process.stdout.write(`${readableJson(answer)}\n`)
}
