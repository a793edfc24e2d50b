import type { ApiError } from '../api/client.ts'

/** What a storage answered to one request of an upload. */
export interface Answer {
  readonly status: number
  readonly keptBytes: number
  readonly error: ApiError
}

/** Sends the part from a byte on; from undefined, asks how much has arrived. */
type Put = (from: number | undefined) => Promise<Answer>

interface Options {
  readonly onProgress: (keptBytes: number, isKept: boolean) => void
  readonly signal: AbortSignal
}

/** Failures in a row, without a byte that was kept. */
const retries = 8

/** Sends what is left of a file. Returns the answer that ended it before the file was whole. */
export async function sendParts(
  put: Put,
  from: number | undefined,
  { onProgress, signal }: Options,
): Promise<Answer | undefined> {
  let sent = from
  let failures = 0
  for (;;) {
    const answer = await put(sent)
    const { status, keptBytes } = answer
    if (status >= 200 && status < 300) return undefined
    if (hasGoneOn(answer, sent)) {
      if (sent !== undefined) failures = 0
      sent = keptBytes
      onProgress(sent, true)
    } else if (isPassing(status) && failures < retries) {
      failures += 1
      sent = undefined
      await pause(Math.min(30_000, 250 * 2 ** failures), signal)
    } else return answer
  }
}

/** Whether the storage said what it has, or has kept some of the part from `sent` on. */
function hasGoneOn({ status, keptBytes }: Answer, sent: number | undefined): boolean {
  return status === 308 && (sent === undefined || keptBytes > sent)
}

/** Whether the same request can succeed later: the connection broke, nothing of a part was kept, another one still sends a part, or the service is busy. */
export function isPassing(status: number): boolean {
  return status === 0 || status === 308 || status === 409 || status === 429 || status >= 500
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
