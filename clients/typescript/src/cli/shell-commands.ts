import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Argument, type Command } from 'commander'
import { trusted } from '../http.ts'
import { MediaTimelineError } from '../index.ts'

const group = 'This machine:'

/** Each asks this program what can follow; where it knows nothing, the shell offers files. */
const scripts = {
  bash: `_media_timeline() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(media-timeline complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _media_timeline media-timeline`,
  zsh: `_media_timeline() {
  local -a found
  found=("\${(@f)$(media-timeline complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _media_timeline media-timeline`,
  fish: `complete -c media-timeline -a '(media-timeline complete -- (commandline -opc)[2..] (commandline -ct))'`,
} as const

/** Completion in shells, and the start of a checkout of the service. */
export function addShellCommands(program: Command): void {
  program
    .command('completion')
    .helpGroup(group)
    .description('Print what completes commands and options. In ~/.bashrc: eval "$(media-timeline completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => void process.stdout.write(`${scripts[shell]}\n`))
  program
    .command('complete [words...]', { hidden: true })
    .action((words: string[]) => void process.stdout.write(`${candidates(program, words).join('\n')}\n`))
  program
    .command('dev')
    .helpGroup(group)
    .description('Start the service of a checkout of its code, in this folder or one above it. Ends with Ctrl-C.')
    .action(async () => {
      process.exitCode = await startCheckout(await findCheckout(process.cwd()))
    })
}

/** What the last of the words can be: options after a hyphen, otherwise commands. */
function candidates(program: Command, words: readonly string[]): string[] {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const reached = before.reduce(
    (command, word) => command.commands.find((each) => each.name() === word) ?? command,
    program,
  )
  const help = reached.createHelp()
  if (!last.startsWith('-')) return help.visibleCommands(reached).map((command) => command.name())
  return [...new Set([...help.visibleOptions(reached), ...program.options])].flatMap(({ long }) => long ?? [])
}

async function findCheckout(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const {
    name,
    private: isPrivate,
    scripts: own,
  } = trusted<{ name?: string; private?: boolean; scripts?: { start?: string } }>(JSON.parse(text))
  // The package of this command has the same name, and is published.
  if (name === 'media-timeline' && isPrivate && own?.start !== undefined) return folder
  const above = path.dirname(folder)
  if (above === folder)
    throw new MediaTimelineError('There is no checkout of Media Timeline in this folder or above it. Run this in one.')
  return findCheckout(above)
}

function startCheckout(folder: string): Promise<number> {
  const [npm, isWindows] = ['npm', process.platform === 'win32']
  const child = spawn(npm, ['start'], { cwd: folder, stdio: 'inherit', shell: isWindows })
  // A terminal sends Ctrl-C to both.
  process.once('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new MediaTimelineError('npm cannot be run. Install Node with npm.', { cause })),
    )
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 2 : 1)))
  })
}
