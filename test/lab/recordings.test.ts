import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { recordingPackages } from '../../lab/finders/recordings.ts'

const root = path.join(import.meta.dirname, '..', '..')

it('THIRD_PARTY.md has the licence of every package with recordings that the finders are measured with', () => {
  const thirdParty = readFileSync(path.join(root, 'THIRD_PARTY.md'), 'utf8')
  for (const { name, isDebian, version, licence } of recordingPackages)
    expect(thirdParty).toContain(`| ${name} ${version} | ${isDebian ? 'Debian' : 'PyPI'} | ${licence} |`)
})

it('every recording in the repository has its licence beside it', () => {
  const readme = readFileSync(path.join(root, 'test', 'fixtures', 'README.md'), 'utf8')
  for (const file of ['speech.wav', 'film.mp4', 'astronaut.jpg'])
    expect(readme).toMatch(new RegExp(`\\| \`${file}\` \\|.*\\| (?:CC BY|public domain)[^|]*\\|`))
})
