import { blocked, checkRedirect } from '../../core/target-policy.ts'
import { type RequestHeaders, type SourceAccess, type SourceResponse, sendRequest } from './send-request.ts'
import { statusError, unreachable } from './source-errors.ts'

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Requests a URL, and checks each redirect like the first address. Returns status 200 or, for a range, also 206 or 416. */
export async function requestUrl(
  url: URL,
  access: SourceAccess,
  headers: RequestHeaders,
  signal: AbortSignal,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<SourceResponse> {
  let target = url
  for (let followed = 0; followed <= maxRedirects; followed++) {
    const response = await sendRequest(target, access, headers, signal, method)
    if (!redirects.has(response.status)) return checked(response, 'range' in headers)
    response.close()
    const next = redirectTarget(response)
    checkRedirect(target, next, access.allowHosts)
    target = next
  }
  throw unreachable('The media URL redirects too often. Use the final URL', false)
}

function redirectTarget({ url, status, headers: { location } }: SourceResponse): URL {
  if (!location || !URL.canParse(location, url.href)) throw statusError(status)
  const next = new URL(location, url)
  if (next.href.length > 8192) throw blocked('redirect to an overlong URL')
  return next
}

function checked(response: SourceResponse, isRange: boolean): SourceResponse {
  try {
    const isExpected = response.status === 200 || (isRange && [206, 416].includes(response.status))
    if (!isExpected) throw statusError(response.status)
    const encoding = response.headers['content-encoding']
    if (encoding && encoding.toLowerCase() !== 'identity') {
      throw unreachable('The media URL served compressed content. Use a URL that serves the file uncompressed', false)
    }
    return response
  } catch (error) {
    response.close()
    throw error
  }
}
