import { chains } from '../../src/chains/chains.ts'
import { nearestNames } from '../../src/core/nearest-names.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'

const stepsOfChains = chains.flatMap(({ steps }) => steps)

/** Where to send a setting of one of the steps. Undefined if no step has it. */
export function placeOfSetting(name: string, steps: readonly string[] = stepsOfChains): string | undefined {
  const places = endpoints
    .filter(({ id, settings }) => steps.includes(id) && Object.hasOwn(settings.shape, name))
    .map(({ id }) => `settings["${id}"].${name}`)
  return places.length === 0 ? undefined : `${name} is a setting of a step. Send it as ${places.join(' or ')}`
}

const otherFields: Readonly<Record<string, string>> = {
  endpoint: 'the chain has its endpoints. POST /v1/jobs runs one endpoint',
  workflow_id: 'it is part of the path. Leave it out of the body',
  dry_run: '"mode": "plan" returns the prices and runs nothing. It is the default',
  idempotency_key: 'send it as the header Idempotency-Key',
}

/** Where a field that a run does not have belongs. */
export function placeOfRunField(name: string): string | undefined {
  const [other] = nearestNames(name, Object.keys(otherFields))
  return placeOfSetting(name) ?? (other && `${name}: ${otherFields[other]}`)
}
