import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lock, tryLock } from '../../scripts/setup/lock.mjs'

test('a lock names its holder, and is free after the release', () => {
  const file = lockFile()
  const first = tryLock(file)

  expect(tryLock(file)).toEqual({ holder: process.pid })
  first.release?.()
  expect(tryLock(file).release).toBeDefined()
})

test('the lock of a dead process is taken over', () => {
  const file = lockFile()
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(file, `${pid} 1`)

  expect(tryLock(file).release).toBeDefined()
})

test('the lock of a dead process is taken over even if another process has its id', () => {
  const file = lockFile()
  writeFileSync(file, `${process.pid} 1`)

  expect(tryLock(file).release).toBeDefined()
})

test('a waiter gets the lock when it is released, and is told the holder once', async () => {
  const file = lockFile()
  const { release } = tryLock(file)
  const holders: number[] = []

  const waiting = lock(file, (holder) => {
    holders.push(holder)
    setImmediate(() => release?.())
  })

  await expect(waiting).resolves.toBeTypeOf('function')
  expect(holders).toEqual([process.pid])
})

function lockFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lock test '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'lock')
}
