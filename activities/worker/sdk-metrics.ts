import { createServer } from 'node:net'
import { Runtime, type RuntimeOptions } from '@temporalio/worker'

const tries = 5
const boundMilliseconds = 2_000

/**
 * Installs Temporal's runtime, with its metrics if requested, and returns a reader of them. The runtime can serve metrics only
 * on a port, so it gets a free one on loopback, which the reader scrapes.
 */
export async function installRuntime(
  logger: RuntimeOptions['logger'],
  withMetrics: boolean,
): Promise<() => Promise<string>> {
  const base = logger ? { logger } : {}
  if (!withMetrics) {
    Runtime.install(base)
    return async () => ''
  }
  for (let left = tries; ; left -= 1) {
    const bindAddress = `127.0.0.1:${await unusedPort()}`
    try {
      Runtime.install({
        ...base,
        telemetryOptions: {
          metrics: {
            prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
          },
        },
      })
      return () => readFrom(`http://${bindAddress}/metrics`)
    } catch (error) {
      // Another process took the port in between.
      if (left <= 1) throw error
    }
  }
}

/** Empty if the read fails, so that our own metrics are still served. */
async function readFrom(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(boundMilliseconds) })
    return response.ok ? await response.text() : ''
  } catch {
    return ''
  }
}

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
