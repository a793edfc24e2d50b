import { existsSync } from 'node:fs'
import path from 'node:path'

/** What is fetched: package.json, package-lock.json and requirements.txt lock it. */
export const declaredMcpClients: string = path.join(import.meta.dirname, '..', 'e2e', 'mcp-clients')

/** Why tests with these clients are skipped, where they are. */
export const noMcpClients: string | undefined = process.env['TEST_MCP_CLIENTS']
  ? undefined
  : 'they could not be fetched: Python 3.11 with pip and npm are needed'

const folder = process.env['TEST_MCP_CLIENTS'] ?? ''

/** The conformance suite of the protocol needs Node 22: where the platform has no packaged one, this must be it. */
export function conformanceCommand(): [file: string, script: string] {
  const packages = path.join(folder, 'node_modules')
  const node = path.join(packages, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  const script = path.join(packages, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  return [existsSync(node) ? node : process.execPath, script]
}

/** Where Python finds its packages. */
export const pythonPackages: string = path.join(folder, 'python')
