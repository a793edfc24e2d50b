import { createServer } from 'node:http'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import type { Config } from '../config.ts'

export interface MetricsServer {
  close(): Promise<void>
}

interface Sources {
  readonly registry: Registry
  /** Runs before each scrape. */
  readonly refresh?: () => Promise<void>
  /** Metrics text of another source, appended to ours. */
  readonly more?: () => Promise<string>
}

/**
 * Serves `GET /metrics` on its own listener, so that metrics are never on the public port, and starts measuring the
 * process. Does nothing without an address.
 */
export async function serveMetrics(
  address: Config['METRICS_ADDRESS'],
  { registry, refresh = async () => {}, more = async () => '' }: Sources,
): Promise<MetricsServer> {
  if (!address) return { close: async () => {} }
  collectDefaultMetrics({ register: registry })
  const text = async () => {
    const [others] = await Promise.all([more(), refresh()])
    return `${await registry.metrics()}\n${others}`
  }
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    text().then(
      (body) => response.writeHead(200, { 'content-type': registry.contentType }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new Error(`METRICS_ADDRESS: ${address.host}:${address.port} cannot be listened on (${code})`)),
    )
    server.listen(address, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Scrapers keep their connection open.
        server.closeAllConnections()
      }),
  }
}
