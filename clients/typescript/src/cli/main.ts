#!/usr/bin/env node
import { Command, CommanderError, Help } from 'commander'
import { addAccountCommands } from './account-commands.ts'
import { addBatchCommands } from './batch-commands.ts'
import { endAtInterrupt, endWithReader, outputOf } from './context.ts'
import { addListCommands } from './list-commands.ts'
import { addListenCommand } from './listen-command.ts'
import { exitCodeOf } from './output.ts'
import { addShellCommands } from './shell-commands.ts'
import { addWatchCommand } from './watch-command.ts'
import { addWorkCommands } from './work-commands.ts'

const help = new Help()
/** Also of what cannot be read as a command. */
const isJson = process.argv.includes('--json')
const program = new Command('media-timeline')
  .description('Finds moments in video and audio, and cuts clips exact to the frame.')
  .version(__VERSION__)
  .option('--url <address>', 'the service; otherwise MEDIA_TIMELINE_URL, or that of the login')
  .option('--json', 'print results as JSON')
  .showHelpAfterError(isJson ? false : 'Run with --help for what it takes.')
  .configureOutput({
    outputError: (text, write) =>
      write(isJson ? `${JSON.stringify({ error: { message: text.replace(/^error: /, '').trim() } })}\n` : text),
  })
  .exitOverride()
  .configureHelp({
    showGlobalOptions: true,
    optionDescription: (option) => `${option.mandatory ? 'Required: ' : ''}${help.optionDescription(option)}`,
  })
  .addHelpText(
    'after',
    '\nThe key is that of the login, or MEDIA_TIMELINE_API_KEY.\nExit codes: 0 done, 1 error, 2 canceled, 3 the job failed, 4 not logged in or not allowed, 5 waited too long.',
  )

addWorkCommands(program)
addBatchCommands(program)
addAccountCommands(program)
addListCommands(program)
addWatchCommand(program)
addListenCommand(program)
addShellCommands(program)
endAtInterrupt()
endWithReader()
let running: Command = program
program.hook('preAction', (_, command) => {
  running = command
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    outputOf(running).failure(error)
    process.exitCode = exitCodeOf(error)
  }
}
