import path from 'node:path'
import { installedModels, modelManifest } from '../src/models/manifest.ts'
import { isModelName, type ModelName, modelNames } from '../src/models/models.ts'
import type { Command, Context } from './main.ts'
import { fetchModels, verifyModel } from './setup/models.ts'

/** Lists, fetches or verifies the models in MODELS_DIR, by default in the tool cache. */
export const modelsCommand: Command = async (context) => {
  const [action = '', ...rest] = context.args
  if (action !== 'fetch' && rest.length > 0) throw new Error(context.usage)
  const [unknown] = rest.filter((name) => name !== '--shippable' && !isModelName(name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a model: use ${modelNames.join(', ')}`)
  const named = rest.filter(isModelName)
  const isWanted = (name: ModelName) => modelManifest[name].isShippable || !rest.includes('--shippable')
  const names = (named.length > 0 ? named : modelNames).filter(isWanted)
  switch (action) {
    case 'list':
      return listModels(context)
    case 'fetch':
      return (await fetchModels(names, context)).length > 0 ? 1 : 0
    case 'verify':
      return verifyModels(context)
    default:
      throw new Error(context.usage)
  }
}

function listModels({ modelsDir }: Context): number {
  const installed = installedModels(modelsDir)
  console.log(`Models in ${path.resolve(modelsDir)}`)
  for (const name of modelNames) {
    const { source, licence, isShippable } = modelManifest[name]
    const state = installed.has(name) ? 'installed' : 'not installed'
    const rights = `${licence?.name ?? 'no licence stated'}${isShippable ? ', in the image' : ''}`
    console.log(`  ${name.padEnd(16)}${state.padEnd(16)}${source.requirement} (${rights})`)
  }
  return 0
}

async function verifyModels({ modelsDir }: Context): Promise<number> {
  let exitCode = 0
  for (const name of modelNames.filter((each) => installedModels(modelsDir).has(each))) {
    const problems = await verifyModel(name, modelsDir)
    console.log(`${name}: ${problems.length === 0 ? 'as listed' : `differs from the manifest: ${problems.join(', ')}`}`)
    if (problems.length > 0) exitCode = 1
  }
  return exitCode
}
