import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { filesOf, installedModels, modelManifest } from '../../src/models/manifest.ts'
import { modelNames } from '../../src/models/models.ts'

const root = path.join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(path.join(tmpdir(), 'models '))

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the manifest of models', () => {
  it('has a hash of every file, and of the package that it comes from', () => {
    for (const { source, files } of Object.values(modelManifest)) {
      for (const { sha256 } of Object.values(files)) expect(sha256).toMatch(/^[\da-f]{64}$/)
      expect(source.registry === 'npm' ? source.integrity : source.sha256).toMatch(/^sha512-|^[\da-f]{64}$/)
      expect(source.requirement).toMatch(/^[\w.-]+(==|@)[\d.]+$/)
    }
  })

  it('puts only models into the image whose licence is stated', () => {
    for (const { licence, isShippable } of Object.values(modelManifest)) expect(isShippable && !licence).toBe(false)
  })

  it('says of every model what THIRD_PARTY.md says', () => {
    const thirdParty = readFileSync(path.join(root, 'THIRD_PARTY.md'), 'utf8')
    const rows = modelNames.map((name) => {
      const { source, licence, isShippable } = modelManifest[name]
      return `| \`${name}\` | ${source.requirement} | ${licence?.name ?? 'not stated'} | ${isShippable ? 'yes' : 'no'} |`
    })
    for (const row of rows) expect(thirdParty).toContain(row)
  })
})

describe('installed models', () => {
  it('are those whose files are all there', () => {
    const [first = '', ...others] = filesOf('transcribe')
    mkdirSync(path.join(folder, 'transcribe'), { recursive: true })
    for (const file of others) writeFileSync(path.join(folder, 'transcribe', file), '')
    expect(installedModels(folder)).toEqual(new Set())
    writeFileSync(path.join(folder, 'transcribe', first), '')
    expect(installedModels(folder)).toEqual(new Set(['transcribe']))
    expect(installedModels(undefined)).toEqual(new Set())
  })
})
