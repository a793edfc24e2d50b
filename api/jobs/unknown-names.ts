import { ServiceError } from '../../src/core/errors.ts'
import { describeUnknown, nearestName } from '../../src/core/input-problems.ts'

import { liveEndpoints } from '../../src/endpoints/catalog.ts'

/**
 * The settings of all endpoints. Such a name is never taken for a misspelt one: callers may send the same settings to several
 * endpoints.
 */
const settingNames: ReadonlySet<string> = new Set(liveEndpoints.flatMap(({ settings }) => Object.keys(settings.shape)))

/**
 * A warning for each name that is not known. Throws `invalid_request` for one that looks misspelt, because the job would run,
 * and be charged, without it.
 */
export function warnOfUnknown(
  kind: 'field' | 'setting' | 'step',
  given: readonly string[],
  known: readonly string[],
  of = '',
): string[] {
  const unknown = given.filter((name) => !known.includes(name))
  for (const name of unknown) {
    if (settingNames.has(name) || nearestName(name, known) === undefined) continue
    const place = kind === 'field' ? 'body' : 'settings'
    throw new ServiceError('invalid_request', `${place}: ${describeUnknown(`${kind}${of}`, name, known)}`)
  }
  return unknown.map((name) => `Unknown ${kind} ${JSON.stringify(name.slice(0, 60))}${of} was ignored.`)
}
