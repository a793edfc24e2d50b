import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { platform } from '../../scripts/setup/tool-cache.ts'
import { cachedPrograms } from '../../scripts/setup/wheel-programs.ts'
import type { Wheel } from '../../scripts/setup/wheels.ts'

/** Writes a wheel with a program among its scripts, one in its package, and a module. */
const makeWheel = `
import sys, zipfile
info = 'carrier-1.0.dist-info/'
entries = {
    'carrier/__init__.py': '',
    'carrier/vendor/inner': 'inner program',
    'carrier-1.0.data/scripts/outer': 'outer program',
    info + 'METADATA': 'Metadata-Version: 2.1\\nName: carrier\\nVersion: 1.0\\n',
    info + 'WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
}
entries[info + 'RECORD'] = ''.join(name + ',,\\n' for name in [*entries, info + 'RECORD'])
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as wheel:
    for name, text in entries.items():
        wheel.writestr(name, text)
`

test('pip unpacks the programs of a wheel, wherever they lie in it, and nothing more is kept', async () => {
  const { wheel, cacheDir, fetch } = carrier()
  const folder = path.join(cacheDir, `carrier-1.0-${platform}`)

  expect(await fetch(wheel)).toBe(folder)

  expect(readdirSync(cacheDir)).toEqual([path.basename(folder)])
  expect(readdirSync(folder).toSorted()).toEqual(['inner', 'outer'])
  for (const name of ['inner', 'outer']) {
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe(`${name} program`)
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o755)
  }
})

test('a wheel of another hash is not unpacked', async () => {
  const { wheel, cacheDir, fetch, said } = carrier()

  expect(await fetch({ ...wheel, sha256: ['0'.repeat(64)] })).toBeUndefined()

  expect(said.at(-1)).toMatch(/carrier-1\.0 could not be fetched: .*THESE PACKAGES DO NOT MATCH THE HASHES/s)
  expect(readdirSync(cacheDir)).not.toContain(`carrier-1.0-${platform}`)
})

/** The wheel, a cache to fill, and pip with only the wheel's folder as source. */
function carrier() {
  const folder = mkdtempSync(path.join(tmpdir(), 'wheel test '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'carrier-1.0-py3-none-any.whl')
  execFileSync('python3', ['-c', makeWheel, file])
  const cacheDir = path.join(folder, 'cache')
  const said: string[] = []
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: `file://${encodeURI(folder)}`,
  }
  const wheel: Wheel = {
    requirement: 'carrier==1.0',
    sha256: [createHash('sha256').update(readFileSync(file)).digest('hex')],
    megabytes: 1,
    programs: () => ({ inner: 'carrier/vendor/inner', outer: 'bin/outer' }),
  }
  const say = (line: string) => void said.push(line)
  return { wheel, cacheDir, said, fetch: (wanted: Wheel) => cachedPrograms(wanted, cacheDir, env, say) }
}
