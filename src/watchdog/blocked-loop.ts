import { Session } from 'node:inspector'
import { z } from 'zod'
import { workInHandGlobal } from './watchdog-data.ts'

export interface BlockedLoop {
  /** The workflow in whose asynchronous context the loop is blocked, if that can be seen. */
  readonly workId?: string | undefined
  /** The innermost calls. Empty if they cannot be seen. */
  readonly stack: readonly string[]
}

/** Calls into native code cannot be paused. */
const pauseMilliseconds = 2_000
const shownCalls = 10

const answer = z.object({ result: z.object({ value: z.string().optional() }) })

/** Pauses the main thread from another one, and looks at what it does (https://nodejs.org/api/inspector.html#sessionconnecttomainthread). */
export async function inspectBlockedLoop(): Promise<BlockedLoop> {
  const session = new Session()
  session.connectToMainThread()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ stack: [] }), pauseMilliseconds)
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      clearTimeout(timer)
      const stack = callFrames
        .slice(0, shownCalls)
        .map(({ functionName, url, location }) => `${functionName || 'anonymous'} ${url}:${location.lineNumber + 1}`)
      const callFrameId = callFrames[0]?.callFrameId ?? ''
      const expression = `globalThis.${workInHandGlobal}()`
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true }, (error, given) => {
        const { data } = answer.safeParse(given)
        resolve({ stack, workId: error ? undefined : data?.result.value })
      })
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })
}
