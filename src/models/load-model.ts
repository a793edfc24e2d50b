import { type LoadedModel, type ModelInput, type ModelName, type ModelOutput, modelInterfaces } from './models.ts'

type Loaders = {
  readonly [Name in ModelName]: (folder: string) => Promise<LoadedModel<ModelInput<Name>, ModelOutput<Name>>>
}

/** The implementation of each model, which reads its files from the folder. Loaded in the processes of the pool only. */
const loaders: Loaders = {
  'voice-activity': async (folder) => (await import('./voice-activity/silero.ts')).loadSilero(folder),
  'sound-tags': async (folder) => (await import('./sound-tags/yamnet.ts')).loadYamnet(folder),
  transcribe: async (folder) => (await import('./transcribe/moonshine.ts')).loadMoonshine(folder),
  embed: async (folder) => (await import('./embed/minilm.ts')).loadMiniLm(folder),
  'read-text': async (folder) => (await import('./read-text/paddle-ocr.ts')).loadPaddleOcr(folder),
  'find-faces': async (folder) => (await import('./find-faces/blazeface.ts')).loadBlazeFace(folder),
}

/** The model with input that is checked when it runs. */
export async function loadModel<Name extends ModelName>(
  name: Name,
  folder: string,
): Promise<LoadedModel<unknown, ModelOutput<Name>>> {
  const model = await loaders[name](folder)
  const { input: expected } = modelInterfaces[name]
  return { run: (input) => model.run(expected.parse(input)), close: () => model.close() }
}
