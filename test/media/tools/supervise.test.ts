import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ToolProcess } from '../../../src/media/tools/spawn.ts'
import { supervise } from '../../../src/media/tools/supervise.ts'

const supervision = {
  ...{ signal: new AbortController().signal, deadlineSeconds: 60, processDir: tmpdir(), files: [] },
  limits: { memoryBytes: 2 ** 27, cpuSeconds: 10, fileBytes: 0 },
}

/** A tool that is recorded as this process. */
function tool(kill = () => {}): ToolProcess {
  const exit = Promise.resolve({ code: 0, signal: null })
  const streams = { stdin: null, stdout: new PassThrough(), stderr: new PassThrough() }
  return { ...streams, pid: Promise.resolve(process.pid), exit, kill }
}

it('a process that cannot be recorded keeps its good result', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'supervise-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const run = supervise({ ...supervision, processDir: path.join(file, 'processes') }, async ({ attach }) => {
    attach(tool())
    // Long enough for Node to report a rejection that nobody handles.
    await delay(50)
  })
  await expect(run).resolves.toBeUndefined()
})

it('a deadline beyond the longest timer of Node is looked at rarely, and kept', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const waitedMs = vi.fn(() => 0)
  const deadlineSeconds = 3_000_000
  const run = supervise({ ...supervision, deadlineSeconds, waitedMs }, async ({ attach }) => {
    await new Promise<void>((resolve) => attach(tool(resolve)))
  })
  const ended = expect(run).rejects.toMatchObject({ code: 'timed_out' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(waitedMs.mock.calls.length).toBeLessThan(5)
  vi.advanceTimersByTime(deadlineSeconds * 1000)
  vi.useRealTimers()
  await ended
})
