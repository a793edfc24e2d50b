import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pictures } from '../exports/pictures.ts'
import { withPart } from './with-part.ts'

const requirements = readFileSync('test/exports/readers/requirements.txt', 'utf8')

const readers = {
  fcpxml: ['opentimelineio', 'otio-fcpx-xml-adapter'],
  xmeml: ['opentimelineio', 'otio-fcp-adapter'],
  otio: ['opentimelineio'],
  edl: ['opentimelineio', 'otio-cmx3600-adapter', 'pycmx'],
}

/** With the version that the tests install. */
function versioned(name: string): string {
  const [, version] = new RegExp(`^${name}==(\\S+)`, 'm').exec(requirements) ?? expect.fail(name)
  return `${name} ${version}`
}

it('docs/exports.md has every rate and every reader of the round trips', async () => {
  const formats = Object.entries(readers)
  const cells = (each: readonly string[]) => `| ${each.join(' | ')} |`
  const rows = [
    cells(['media', ...formats.map(([format]) => `\`${format}\``)]),
    cells(['---', ...formats.map(() => '---')]),
    cells(['read by', ...formats.map(([, names]) => names.map(versioned).join(', '))]),
    ...pictures.map(({ name }) => cells([name, ...formats.map(() => 'cuts, markers')])),
  ]
  // `npx vitest run test/docs -u` writes the table.
  const page = withPart(readFileSync('docs/exports.md', 'utf8'), 'round-trips', rows.join('\n'))
  await expect(page).toMatchFileSnapshot('../../docs/exports.md')
})
