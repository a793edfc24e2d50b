import { expect, it } from 'vitest'
import { isConfinedWorker, workerIdentity } from '../../src/temporal/connection.ts'

it('says whether the worker confines ffmpeg; the SDK’s own identity says nothing', () => {
  expect(isConfinedWorker(workerIdentity(true))).toBe(true)
  expect(isConfinedWorker(workerIdentity(false))).toBe(false)
  expect(isConfinedWorker(`${process.pid}@host`)).toBe(false)
  expect(isConfinedWorker(undefined)).toBe(false)
})
