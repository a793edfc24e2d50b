import type { Chain } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeUnknown } from '../../src/core/input-problems.ts'
import { settingsDocument } from '../../src/endpoints/parse-settings.ts'
import { placeOfSetting } from './place-of-fields.ts'
import type { GivenRunRequest, RunRequest } from './schema.ts'

/** The request with its settings by step. Throws `invalid_request` for what is not a step, and says where a setting belongs. */
export function readStepSettings({ steps }: Pick<Chain, 'steps'>, request: GivenRunRequest): RunRequest {
  const settings = Object.entries(request.settings).map(([id, given]) => {
    if (!steps.includes(id)) throw refusal(placeOfSetting(id, steps) ?? describeUnknown('step', id, steps))
    const { data } = settingsDocument.safeParse(given)
    if (!data) throw refusal(`expected an object of settings in settings["${id}"]`)
    return [id, data] as const
  })
  return { ...request, settings: Object.fromEntries(settings) }
}

function refusal(problem: string): ServiceError {
  return new ServiceError('invalid_request', `settings: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`)
}
