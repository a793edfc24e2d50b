import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { npmCommand } from '../setup/packages.mjs'
import { ffmpegWheel, ffprobeWheel, type Wheel } from '../setup/wheels.ts'
import { runToEnd } from '../stack/run-to-end.ts'

const component = z.looseObject({
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
})
const document = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({}) }),
  components: z.array(component),
})

/**
 * The software bill of materials, in CycloneDX: npm's, for all packages of the lock file but development's, and the programs of
 * the image that npm does not know. It names more than the image holds: optional peers and other platforms too.
 */
export async function makeSbom(root: string): Promise<object> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--silent']
  const { metadata, components, ...rest } = document.parse(JSON.parse(await runToEnd(npmCommand(args), { cwd: root })))
  const { name } = z
    .object({ name: z.string() })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  return {
    ...rest,
    // npm names the project by its folder.
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: [
      ...components.filter((each) => !isForDevelopment(each)),
      toolComponent('ffmpeg', ffmpegWheel),
      toolComponent('ffprobe', ffprobeWheel),
    ],
  }
}

/** npm's own --omit=dev also omits packages of production that a development package needs too. */
function isForDevelopment({ properties }: z.output<typeof component>): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
}

/** Version and hashes are those of the wheel; docs/production.md names its source. */
function toolComponent(tool: string, { requirement, sha256 }: Wheel) {
  const [name = '', version = ''] = requirement.split('==')
  return {
    'bom-ref': `${name}@${version}`,
    type: 'application',
    name,
    version,
    description: `${tool}, which the worker runs as a separate program`,
    scope: 'required',
    purl: `pkg:pypi/${name}@${version}`,
    hashes: sha256.map((content) => ({ alg: 'SHA-256', content })),
    licenses: [{ license: { id: 'GPL-3.0-or-later' } }],
  }
}
