import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '../../scripts/stack/run-to-end.ts'
import { parseDockerfile, type Step } from './dockerfile.ts'

export interface Image {
  /** The folder with the last stage's file system. */
  readonly root: string
  /** The image's working directory in that folder. */
  readonly workDir: string
  /** RUN instructions that only Docker can run, because they change the system. */
  readonly notRun: readonly string[]
  /** What the other RUN instructions printed. */
  readonly output: string
}

const changesTheSystem = /\b(apt-get|chown)\b/

/**
 * Builds ./Dockerfile like `docker build`, but in a folder and with this machine's node: applies .dockerignore, COPY and RUN.
 * `npm ci` takes a quarter of the build's time and was this checkout's set-up: its packages are linked instead.
 */
export async function buildImage(source: string, folder: string): Promise<Image> {
  const stages = parseDockerfile(path.join(source, 'Dockerfile'))
  const context = path.join(folder, 'context')
  cpSync(source, context, { recursive: true, filter: inContext(source) })
  const rootOf = (stage: number | string) => path.join(folder, `stage-${stage}`)
  const notRun: string[] = []
  let workDir = ''
  let output = ''
  for (const [index, stage] of stages.entries()) {
    const root = rootOf(stage.name || index)
    workDir = root
    for (const { keyword, text } of stage.steps) {
      if (keyword === 'WORKDIR') {
        workDir = path.join(root, text)
        mkdirSync(workDir, { recursive: true })
      } else if (keyword === 'COPY') copy(text, { context, rootOf, root, workDir })
      else if (keyword === 'RUN' && changesTheSystem.test(text)) notRun.push(text)
      else if (keyword === 'RUN' && text.startsWith('npm ci ')) await linkPackages(source, workDir)
      else if (keyword === 'RUN')
        output += await runToEnd(['sh', '-c', text], { cwd: workDir, env: buildEnvironment() })
    }
  }
  return { root: rootOf(stages.length - 1), workDir, notRun, output }
}

/** Makes hard links, which another file system refuses. A deletion in the image leaves the checkout's file as it is. */
async function linkPackages(source: string, workDir: string): Promise<void> {
  const packages = path.join(source, 'node_modules')
  const target = path.join(workDir, 'node_modules')
  mkdirSync(target)
  await runToEnd(['sh', '-c', 'cp -RPl "$0/." "$1" || cp -RP "$0/." "$1"', packages, target], { cwd: workDir })
  // npm writes into this file.
  const record = '.package-lock.json'
  rmSync(path.join(target, record))
  cpSync(path.join(packages, record), path.join(target, record))
}

interface Places {
  readonly context: string
  readonly rootOf: (stage: string) => string
  /** The folder of the stage being built. */
  readonly root: string
  readonly workDir: string
}

function copy(text: Step['text'], { context, rootOf, root, workDir }: Places): void {
  const [, stage, rest = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? []
  const names = rest.split(' ')
  const last = names.pop() ?? ''
  const target = path.join(last.startsWith('/') ? root : workDir, last)
  for (const name of names) {
    const source = path.join(stage ? rootOf(stage) : context, name)
    const to = statSync(source).isFile() ? path.join(target, path.basename(name)) : target
    mkdirSync(path.dirname(to), { recursive: true })
    // Moves instead of copying half a gigabyte: no later stage reads it.
    if (stage) renameSync(source, to)
    else cpSync(source, to, { recursive: true })
  }
}

/** Whether .dockerignore includes a path of `source`: the last matching pattern decides. */
function inContext(source: string): (file: string) => boolean {
  const lines = readFileSync(path.join(source, '.dockerignore'), 'utf8').split('\n')
  const rules = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace('!', '') }))
  const unknown = rules.find(({ pattern }) => pattern !== '*' && !/^[\w./-]+$/.test(pattern))
  if (unknown) throw new Error(`this test does not know what ${unknown.pattern} matches`)
  return (file) => {
    const name = path.relative(source, file).split(path.sep).join('/')
    const rule = rules.findLast(({ pattern }) => pattern === '*' || `${name}/`.startsWith(`${pattern}/`))
    return name === '' || rule?.isKept === true
  }
}

/** Without the variables of npm and vitest, which refer to another folder. Packages come from npm's cache first. */
function buildEnvironment(): NodeJS.ProcessEnv {
  const about = /^(npm_(package|lifecycle|command|execpath|config_local_prefix)|NODE_ENV$|VITEST|INIT_CWD$)/
  const kept = Object.entries(process.env).filter(([name]) => !about.test(name))
  return { ...Object.fromEntries(kept), npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' }
}
