import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Command } from '../../scripts/main.ts'

const lanes = 2
/** For all checks of one file, of which the service's part takes about half. */
const limitSeconds = 120

const outcomes = ['ok', 'unreadable', 'refused', 'wrong', 'slow', 'crashed'] as const
const verdict = z.object({ outcome: z.enum(outcomes), what: z.string(), problems: z.array(z.string()) })
type Row = z.output<typeof verdict> & { readonly file: string }

/** `npm run lab -- outside FOLDER`: checks every file of a folder, and prints a table. Fails if a file is not read as ffmpeg reads it. */
export const outsideCommand: Command = async ({ args: [folder, ...others], usage, say, findTools }) => {
  if (folder === undefined || others.length > 0) throw new Error(usage)
  const { ffmpegPath, ffprobePath } = await findTools()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
  const workDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-outside-'))
  const rows: Row[] = []
  const left = [...files.entries()]
  const runLane = async () => {
    let child: ChildProcess | undefined
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, file] = next
      child ??= await startChild([ffmpegPath, ffprobePath, workDir])
      const checked = await checkWith(child, path.resolve(file))
      if (child.exitCode !== null || child.signalCode !== null) child = undefined
      rows[index] = { file: path.relative(folder, file), ...checked }
      say(`${checked.outcome} ${file}`)
    }
    child?.disconnect()
  }
  try {
    await Promise.all(Array.from({ length: lanes }, runLane))
  } finally {
    rmSync(workDir, { recursive: true, force: true })
  }
  console.log(describeRows(rows))
  return rows.every(({ outcome }) => ['ok', 'unreadable'].includes(outcome)) ? 0 : 1
}

async function startChild(args: readonly string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('check-process.ts', import.meta.url)), args, {
    execArgv: ['--import', 'tsx'],
  })
  await once(child, 'message')
  return child
}

/** The child has ended if it did not answer. */
async function checkWith(child: ChildProcess, file: string): Promise<Omit<Row, 'file'>> {
  const listening = new AbortController()
  const options = { signal: listening.signal }
  const silent = (outcome: Row['outcome']) => ({ outcome, what: '', problems: [] })
  const answered = once(child, 'message', options).then((given: unknown[]) => verdict.parse(given[0]))
  const ended = once(child, 'exit', options).then(() => silent('crashed'))
  const late = delay(limitSeconds * 1000, undefined, options).then(() => silent('slow'))
  for (const each of [answered, ended, late]) each.catch(() => {})
  child.send(file)
  const row = await Promise.race([answered, ended, late])
  listening.abort()
  if (row.outcome === 'slow') {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return row
}

function describeRows(rows: readonly Row[]): string {
  const counts = outcomes.map((each) => `${each} ${rows.filter(({ outcome }) => outcome === each).length}`)
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [
    `${rows.length} files: ${counts.join(', ')}.`,
    '',
    '| file | as ffprobe names it | outcome | problems |',
    '|---|---|---|---|',
    ...rows.map(
      ({ file, what, outcome, problems }) => `| ${[file, what, outcome, problems.join('; ')].map(cell).join(' | ')} |`,
    ),
  ].join('\n')
}
