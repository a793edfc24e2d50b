import { expect, it } from 'vitest'
import { isRoomy } from '../../src/core/disk.ts'

const disk = { blocks: 1_000_000, bsize: 4_096, bavail: 900_000, files: 200_000, ffree: 100_000 }

it('a disk without free inodes has no room, however many bytes are free', () => {
  expect(isRoomy(disk)).toBe(true)
  expect(isRoomy({ ...disk, ffree: 9_999 })).toBe(false)
})

it('a disk that counts no inodes has room for as many files as its bytes allow', () => {
  expect(isRoomy({ ...disk, files: 0, ffree: 0 })).toBe(true)
  expect(isRoomy({ ...disk, files: 0, ffree: 0, bavail: 40_000 })).toBe(false)
})

it('a disk has room for bytes beside its reserve', () => {
  const free = disk.bavail * disk.bsize
  expect([isRoomy(disk, free * 0.9), isRoomy(disk, free)]).toEqual([true, false])
})
