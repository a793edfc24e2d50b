import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startHealthFile } from '../../../activities/worker/health-file.ts'

let folder: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = await mkdtemp(path.join(tmpdir(), 'health file '))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

it('is touched every ten seconds, and deleted at the end', async () => {
  const file = path.join(folder, 'healthy')
  const end = startHealthFile(file, () => 'prlimit')
  await utimes(file, 0, 0)
  vi.advanceTimersByTime(10_000)
  expect((await stat(file)).mtimeMs).toBeGreaterThan(0)
  end()
  vi.advanceTimersByTime(60_000)
  expect(existsSync(file)).toBe(false)
})

it('holds the confinement of ffmpeg, and is left alone while no tool can be started', async () => {
  const file = path.join(folder, 'healthy')
  let level = 'landlock=7 seccomp=1'
  const end = startHealthFile(file, () => level)
  expect(await readFile(file, 'utf8')).toBe('confinement: landlock=7 seccomp=1\n')
  level = 'down'
  await utimes(file, 0, 0)
  vi.advanceTimersByTime(60_000)
  expect((await stat(file)).mtimeMs).toBe(0)
  level = 'landlock=7 seccomp=1'
  vi.advanceTimersByTime(10_000)
  expect((await stat(file)).mtimeMs).toBeGreaterThan(0)
  end()
})

it('survives a missing folder', () => {
  const end = startHealthFile(path.join(folder, 'none', 'healthy'), () => 'none')
  vi.advanceTimersByTime(10_000)
  expect(end).not.toThrow()
})

it('does not exist without a name', () => {
  expect(startHealthFile(undefined, () => 'none')).not.toThrow()
})
