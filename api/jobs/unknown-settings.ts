import { invalidRequest } from '../../src/core/errors.ts'
import { describeUnknown } from '../../src/core/input-problems.ts'
import { nearestName } from '../../src/core/nearest-name.ts'
import { upperFirst } from '../../src/core/text.ts'
import { settingNames } from './setting-names.ts'

/**
 * A warning for each setting that is not known. Throws `invalid_request` for one that looks misspelt, or that
 * looks like one of the fields `outside`, because the job would run, and be charged, without it.
 */
export function warnOfUnknownSettings(
  given: readonly string[],
  known: readonly string[],
  { of = '', outside = [] }: { readonly of?: string; readonly outside?: readonly string[] } = {},
): string[] {
  const unknown = given.filter((name) => !known.includes(name))
  for (const name of unknown.filter((each) => !settingNames.has(each))) {
    if (nearestName(name, known)) throw invalidRequest(upperFirst(describeUnknown('setting', name, known, of)))
    const field = nearestName(name, outside)
    if (field === undefined) continue
    const problem = describeUnknown('setting', name, outside, of)
    throw invalidRequest(upperFirst(`${problem} ${field} belongs outside settings.`))
  }
  return unknown.map((name) => `Unknown setting ${JSON.stringify(name.slice(0, 60))}${of} was ignored.`)
}
