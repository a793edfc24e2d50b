import path from 'node:path'
import { expect, it } from 'vitest'
import { installedFile } from '../../src/core/disk.ts'

it('a file is found from the root of the installation', () => {
  expect(installedFile('prisma/schema.prisma')).toBe(path.resolve('prisma/schema.prisma'))
})

it('a file that is missing is named', () => {
  expect(() => installedFile('prisma/missing')).toThrow('prisma/missing is not part of this installation')
})
