import { existsSync } from 'node:fs'
import path from 'node:path'

/** The clients to download, and the libraries that verify webhooks, locked by package.json, package-lock.json and requirements.txt. */
export const declaredMcpClients: string = path.join(import.meta.dirname, '..', 'e2e', 'mcp-clients')

/** Why tests with these clients are skipped; undefined if they run. */
export const noMcpClients: string | undefined = process.env['TEST_MCP_CLIENTS']
  ? undefined
  : 'they could not be fetched: Python 3.11 with pip and npm are needed'

const folder = process.env['TEST_MCP_CLIENTS'] ?? ''

/** The protocol's conformance suite needs Node 22; without a packaged Node for the platform, this process must be Node 22. */
export function conformanceCommand(): [file: string, script: string] {
  const packages = path.join(folder, 'node_modules')
  const node = path.join(packages, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const script = path.join(packages, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  return [existsSync(node) ? node : process.execPath, script]
}

/** The folder of Python's packages. */
export const pythonPackages: string = path.join(folder, 'python')
