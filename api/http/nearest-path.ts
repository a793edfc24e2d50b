import { nearestName } from '../../src/core/nearest-name.ts'

/** A path of the API, with the methods that it supports. */
export interface KnownPath {
  /** With names of parameters: `/v1/jobs/:job_id`. */
  readonly url: string
  readonly methods: ReadonlySet<string>
}

/** Longer paths are no misspelt ones. */
const maxSegments = 8

/**
 * The request that was probably meant by a path that does not exist: one name of it is misspelt, as in `/v1/runs/run_…`, or the last
 * one is missing, as in `/v1/workflows/remove-dead-space`.
 */
export function nearestRequest(method: string, path: string, known: readonly KnownPath[]): string | undefined {
  const given = path.split('/')
  if (given.length > maxSegments) return undefined
  const near = known.find(({ url }) => isNear(given, url.split('/'))) ?? known.find(({ url }) => isBelow(path, url))
  return near && describeRequest(near, method)
}

/** The requests one name below a path, such as `POST /v1/keys/{key_id}/revoke` below a key. */
export function requestsBelow(path: string, known: readonly KnownPath[]): string[] {
  return known.filter(({ url }) => isBelow(path, url)).map((each) => describeRequest(each))
}

/** Whether the URL adds one name to a path that ends in an id. */
function isBelow(path: string, url: string): boolean {
  const names = url.split('/')
  const last = names.pop() ?? ''
  const given = path.split('/')
  const isOfId = names.at(-1)?.startsWith(':') === true && !last.startsWith(':')
  return isOfId && given.length === names.length && names.every((name, at) => fits(name, given[at]))
}

function isNear(given: readonly string[], names: readonly string[]): boolean {
  if (given.length !== names.length) return false
  const [wrong, second] = names.flatMap((name, at) => (fits(name, given[at]) ? [] : [{ name, given: given[at] ?? '' }]))
  if (wrong === undefined || second !== undefined) return false
  const isOtherVersion = wrong.name === 'v1' && /^v\d{1,3}$/.test(wrong.given)
  return isOtherVersion || nearestName(wrong.given, [wrong.name]) !== undefined
}

function fits(name: string, given: string | undefined): boolean {
  return name.startsWith(':') ? given !== '' : name === given
}

/** With the method that was sent, where the path has it. */
function describeRequest({ url, methods }: KnownPath, sent = 'GET'): string {
  const method = [sent, 'GET', ...methods].find((each) => methods.has(each) && each !== 'OPTIONS' && each !== 'HEAD')
  return `${method ?? 'GET'} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}
