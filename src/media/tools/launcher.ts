import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { installedFile } from '../../core/disk.ts'
import {
  createLaunchedTool,
  endedWithLauncher,
  killRecord,
  type LaunchedTool,
  parseExit,
  startRecord,
} from './launched-tool.ts'
import type { ToolProcess, ToolStart } from './spawn.ts'

export interface Launcher {
  /** What the kernel enforces: `landlock=7 seccomp=1`. */
  readonly level: string
  readonly pid: number
  /** Starts a tool confined to its reach and limits. */
  start(tool: ToolStart): ToolProcess
  /**
   * Settles when the launcher has ended, by `close` or by itself. Tools that were still running have then ended with the reason
   * `launcher`.
   */
  readonly ended: Promise<void>
  /** Kills every tool that still runs. */
  close(): Promise<void>
}

const script = installedFile('src/media/tools/launcher.pl')

/** Starts the launcher, the process that starts and confines tools. Undefined if it cannot run: without Linux 5.3 or Perl. */
export async function startLauncher(perl = '/usr/bin/perl'): Promise<Launcher | undefined> {
  if (process.platform !== 'linux') return undefined
  const folder = await mkdtemp(path.join(tmpdir(), 'tools-'))
  const tools = new Map<string, LaunchedTool>()
  const child = spawn(perl, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: {} })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(async () => {
    hasEnded = true
    for (const tool of tools.values()) tool.exited(endedWithLauncher)
    // Nobody else uses what stays: that is no reason to fail those who wait for the end.
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  })
  // Its exit says why.
  child.stdin.on('error', () => {})
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const [event, id = '', ...rest] = line.split(' ')
      const tool = tools.get(id)
      if (event === 'ready') resolve([id, ...rest].join(' '))
      else if (event === 'pid') tool?.started(Number(rest[0]))
      else if (event === 'fail') tool?.failed(new Error(`launcher: ${rest.join(' ')}`))
      else if (event === 'exit') tool?.exited(parseExit(rest))
    })
  })
  const level = await Promise.race([ready, ended.then(() => undefined)])
  const close = async () => {
    child.stdin.end()
    await ended
  }
  if (level === undefined || child.pid === undefined) {
    await close()
    return undefined
  }
  let lastId = 0
  return {
    level,
    pid: child.pid,
    ended,
    close,
    start(tool) {
      lastId += 1
      const id = String(lastId)
      const socketPath = path.join(folder, id)
      const launched = createLaunchedTool(tool, socketPath, () => child.stdin.write(killRecord(id)))
      tools.set(id, launched)
      void launched.process.exit.catch(() => {}).finally(() => tools.delete(id))
      child.stdin.write(startRecord(id, socketPath, tool))
      if (hasEnded) launched.exited(endedWithLauncher)
      return launched.process
    },
  }
}
