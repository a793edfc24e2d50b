import { ServiceError } from './errors.ts'

const maxSourceUrlLength = 2048

/** A caller's media URL, checked only for its form; the reader checks its target. Throws `invalid_request`. */
export function parseSourceUrl(text: string): URL {
  if (text.length > maxSourceUrlLength)
    throw refused(`is longer than ${maxSourceUrlLength} characters. Use a shorter one`)
  if (!URL.canParse(text)) throw refused('is not a URL. Use a complete http(s) URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('must start with http:// or https://')
  if (url.username || url.password) throw refused('must not contain a user name or password. Use a signed URL')
  return url
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_request', `media_url ${reason}, or upload the file.`)
}

/** The path of the URL below one of our base addresses, with its leading slash; undefined for other addresses. */
export function pathUnder(bases: readonly string[], url: URL): string | undefined {
  const address = `${url.origin}${url.pathname}`
  const base = bases.map((each) => new URL(each).href.replace(/\/$/, '')).find((each) => address.startsWith(`${each}/`))
  return base && address.slice(base.length)
}

/** Whether the host is this machine: `localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
