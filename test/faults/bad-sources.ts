import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { film, fixture, speech } from '../fixtures/make.ts'
import type { sourceCases } from './cases.ts'

/** One request for the media; `hit` counts from 1. */
export interface SourceRequest {
  readonly hit: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type Behaviour = (request: SourceRequest) => void

const whole = readFileSync(film)
const other = readFileSync(speech)
const longer = readFileSync(await fixture('numbered.mp4'))
const half = Math.floor(whole.length / 2)

const sendWhole = (response: ServerResponse) => void response.end(whole)

/** Sends half of what it declares, then nothing more. */
function sendHalf(response: ServerResponse, then: () => void, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-length': whole.length, ...headers })
  response.write(whole.subarray(0, half), then)
}

const stall = ({ response }: SourceRequest) => sendHalf(response, () => {})
const drop = ({ response }: SourceRequest) => sendHalf(response, () => response.destroy())
const resumable = { 'accept-ranges': 'bytes', etag: '"first"' }
const dropResumable = ({ response }: SourceRequest) => sendHalf(response, () => response.destroy(), resumable)

/** Sends the bytes from `start` as the rest of the file, even if another range was requested. */
function sendPart(response: ServerResponse, start: number): void {
  const headers = { 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}`, ...resumable }
  response.writeHead(206, headers).end(whole.subarray(start))
}

const firstTimes =
  (times: number, first: Behaviour, later: Behaviour = ({ response }) => sendWhole(response)): Behaviour =>
  (request) =>
    (request.hit <= times ? first : later)(request)

/** The behaviour of each case's server. */
export const badSources: Readonly<Record<keyof typeof sourceCases, Behaviour>> = {
  stallsOnce: firstTimes(1, stall),
  stallsAlways: stall,
  dropsOnce: firstTimes(1, drop),
  dropsAlways: drop,
  resumes: firstTimes(1, dropResumable, ({ request, response }) =>
    sendPart(response, Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])),
  ),
  declaresLess: ({ response }) => {
    // Bypasses the HTTP library, which would not send more than its content-length.
    response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${half}\r\n\r\n`)
    response.socket?.end(whole)
  },
  declaresMore: ({ response }) => {
    response.writeHead(200, { 'content-length': whole.length + 1 })
    response.write(whole, () => response.destroy())
  },
  rangeLies: firstTimes(1, dropResumable, ({ hit, response }) =>
    hit === 2 ? sendPart(response, half + 1) : sendWhole(response),
  ),
  changesOnResume: firstTimes(1, dropResumable, ({ response }) => {
    response.writeHead(200, { 'content-length': other.length, 'accept-ranges': 'bytes', etag: '"second"' })
    response.end(other)
  }),
  changesBetweenSteps: firstTimes(
    1,
    ({ response }) => sendWhole(response),
    ({ response }) => void response.end(longer),
  ),
  neverEnds: ({ response }) => {
    const more = () => {
      while (!response.destroyed && response.write(whole));
    }
    response.on('drain', more)
    more()
  },
  errorsOnce: firstTimes(2, ({ response }) => void response.writeHead(503).end()),
}
