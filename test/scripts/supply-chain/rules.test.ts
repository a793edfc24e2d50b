import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type LockedPackage, readLockFile } from '../../../scripts/supply-chain/lock-file.ts'
import { problemsOf, readInstallScripts, readLicences } from '../../../scripts/supply-chain/rules.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const packages = readLockFile(path.join(root, 'package-lock.json'))

const good: LockedPackage = { name: 'good', version: '1.0.0', license: 'MIT', integrity: 'sha512-A' }

describe('the packages of the lock file', () => {
  it('keep every rule, for each platform', () => {
    expect(packages.length).toBeGreaterThan(500)
    expect(packages.flatMap(problemsOf)).toEqual([])
  })

  it('of the browser that the tests download keep them too', () => {
    const browser = readLockFile(path.join(root, 'test/setup/chromium/package-lock.json'))
    expect(browser.flatMap(problemsOf)).toEqual([])
  })

  it('of the clients that the tests download keep them too', () => {
    const clients = readLockFile(path.join(root, 'test/e2e/mcp-clients/package-lock.json'))
    expect(clients.length).toBeGreaterThan(50)
    expect(clients.flatMap(problemsOf)).toEqual([])
  })

  it('need every exception', () => {
    const ids = packages.map(({ name, version }) => `${name}@${version}`)
    expect(Object.keys(readLicences).filter((id) => !ids.includes(id))).toEqual([])
    const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    expect(readInstallScripts.filter((known) => !scripts.some((name) => name.startsWith(known)))).toEqual([])
  })

  it.each([
    ['a licence outside the list', { license: 'AGPL-3.0' }, /the licence AGPL-3\.0/],
    ['no licence', { license: undefined }, /does not name/],
    ['no hash', { integrity: undefined }, /no SHA-512/],
    ['a weak hash', { integrity: 'sha1-A' }, /no SHA-512/],
    [
      'no hash, on the platform of the image',
      { name: '@swc/core-linux-x64-gnu', version: '1.16.22', optional: true, integrity: undefined },
      /no SHA-512/,
    ],
    ['another origin', { resolved: 'git+ssh://git@example.com/good.git' }, /not from/],
    ['an install script', { hasInstallScript: true }, /install script/],
  ])('are refused with %s', (_what, change, problem) => {
    expect(problemsOf(good)).toEqual([])
    expect(problemsOf({ ...good, ...change })).toEqual([expect.stringMatching(problem)])
  })
})

it('package.json names exact versions', () => {
  const versions = z.record(z.string(), z.string())
  const { dependencies, devDependencies } = z
    .object({ dependencies: versions, devDependencies: versions })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const exact = /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !exact.test(version))
  expect(loose).toEqual([])
})
