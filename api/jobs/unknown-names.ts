import { ServiceError } from '../../src/core/errors.ts'
import { describeUnknown } from '../../src/core/input-problems.ts'
import { nearestNames } from '../../src/core/nearest-names.ts'
import { upperFirst } from '../../src/core/text.ts'
import { requestWindow } from './request-schema.ts'
import { settingNames } from './setting-names.ts'

/** Fields that jobs without media ignore: `end` is no misspelt `endpoint`. */
const mediaFields: ReadonlySet<string> = new Set(Object.keys(requestWindow))

/**
 * A warning for each name that is not known. Throws `invalid_request` for one that looks misspelt, or that
 * looks like one of the fields `outside`, because the job would run, and be charged, without it.
 */
export function warnOfUnknown(
  kind: 'field' | 'setting',
  given: readonly string[],
  known: readonly string[],
  { of = '', outside = [] }: { readonly of?: string; readonly outside?: readonly string[] } = {},
): string[] {
  const unknown = given.filter((name) => !known.includes(name))
  for (const name of unknown.filter((each) => !settingNames.has(each))) {
    const isNear = !mediaFields.has(name) && nearestNames(name, known).length > 0
    const field = isNear ? undefined : nearestNames(name, outside)[0]
    if (!isNear && field === undefined) continue
    const problem = describeUnknown(kind, name, isNear ? known : outside, of)
    const advice = field === undefined ? '' : ` ${field} belongs outside settings.`
    throw new ServiceError('invalid_request', upperFirst(`${problem}${advice}`))
  }
  return unknown.map((name) => {
    const isAboutTheEnd = /webhook|callback|notif/i.test(name)
    const advice = isAboutTheEnd ? ' There are no webhooks: get the job with wait until it has ended.' : ''
    return `Unknown ${kind} ${JSON.stringify(name.slice(0, 60))}${of} was ignored.${advice}`
  })
}
