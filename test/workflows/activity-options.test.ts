import { expect, it } from 'vitest'
import { partOptions, runOptions } from '../../workflows/activity-options.ts'

const hour = { mediaSeconds: 3_600, isStored: true }
const timeOf = (about: Parameters<typeof runOptions>[0]) => runOptions(about).startToCloseTimeout

it('a run has time for the length that it is billed for, not for its media', () => {
  expect(timeOf({ ...hour, billableSeconds: 20 })).toBe('1000 seconds')
  expect(timeOf({ ...hour, billableSeconds: 3_600 })).toBe('72600 seconds')
  expect(partOptions({ ...hour, billableSeconds: 600 }, 'part').startToCloseTimeout).toBe('12600 seconds')
  expect(timeOf({ mediaSeconds: 0, billableSeconds: 20, usesModels: true, isStored: true })).toBe('1000 seconds')
})

it('a run that may have to wait for a server has an hour more', () => {
  expect(timeOf({ ...hour, billableSeconds: 20, isStored: false })).toBe('4600 seconds')
  expect(timeOf({ ...hour, billableSeconds: 20, isStreamed: true })).toBe('4600 seconds')
})

it('a run that a worker of an earlier version inspected has time for its media', () => {
  expect(timeOf(hour)).toBe('72600 seconds')
})
