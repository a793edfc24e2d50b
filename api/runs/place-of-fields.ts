import { chains } from '../../src/chains/chains.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'

const stepsOfChains = chains.flatMap(({ steps }) => steps)

/** Where to send a setting of one of the steps. Undefined if no step has it. */
export function placeOfSetting(name: string, steps: readonly string[] = stepsOfChains): string | undefined {
  const places = endpoints
    .filter(({ id, settings }) => steps.includes(id) && Object.hasOwn(settings.shape, name))
    .map(({ id }) => `settings["${id}"].${name}`)
  return places.length === 0 ? undefined : `${name} is a setting of a step. Send it as ${places.join(' or ')}`
}
