import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, utimes } from 'node:fs/promises'
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
  const end = startHealthFile(file)
  await utimes(file, 0, 0)
  vi.advanceTimersByTime(10_000)
  expect((await stat(file)).mtimeMs).toBeGreaterThan(0)
  end()
  vi.advanceTimersByTime(60_000)
  expect(existsSync(file)).toBe(false)
})

it('survives a missing folder', () => {
  const end = startHealthFile(path.join(folder, 'none', 'healthy'))
  vi.advanceTimersByTime(10_000)
  expect(end).not.toThrow()
})

it('does not exist without a name', () => {
  expect(startHealthFile(undefined)).not.toThrow()
})
