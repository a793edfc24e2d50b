import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Environment } from '../../scripts/stack/ports.ts'
import { runToEnd } from '../../scripts/stack/run-to-end.ts'

/** The protocol's own client for terminals, and the Node that it needs. */
const packages = ['@modelcontextprotocol/inspector@2.12.0', `node-${process.platform}-${process.arch}@24.21.0`] as const
/** Tokens of a model's context: JSON with numbers and ids takes one for about three bytes. */
const bytesPerToken = 3

const answer = z.object({
  result: z.object({
    tools: z.array(z.unknown()).optional(),
    content: z.array(z.object({ text: z.string().optional() })).default([]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
})

/** Downloads the Inspector. */
export async function installInspector(folder: string, env: Environment): Promise<void> {
  await runToEnd(['npm', 'install', '--prefix', folder, '--silent', '--no-audit', '--no-fund', ...packages], { env })
}

/** Sends requests as the Inspector's command does, one process for each. */
export function createInspector(folder: string, apiUrl: string, key: string) {
  const inFolder = (...parts: string[]) => path.join(folder, 'node_modules', ...parts)
  const node = inFolder(`node-${process.platform}-${process.arch}`, 'bin', 'node')
  const script = inFolder('@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js')
  const target = ['--server-url', `${apiUrl}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`]
  const send = async (method: string, ...args: string[]) => {
    const command = [script, '--cli', ...target, '--format', 'json', '--quiet', '--method', method, ...args]
    const options = { env: { HOME: folder, PATH: process.env['PATH'] }, maxBuffer: 2 ** 24 }
    // A tool that answers an error ends the command with a code of its own, after the answer.
    const { stdout } = await promisify(execFile)(node, command, options).catch((error: unknown) =>
      z.object({ stdout: z.string().min(1, String(error)) }).parse(error),
    )
    const { tools, content, structuredContent, isError } = answer.parse(JSON.parse(stdout)).result
    const text = content.map((each) => each.text).join('\n')
    // Clients give a model the text or the structured content: the longer one counts.
    const forms = [text, JSON.stringify(tools ?? structuredContent ?? '')]
    const tokens = Math.max(...forms.map((form) => Buffer.byteLength(form))) / bytesPerToken
    return { structuredContent, tokens, failure: isError ? text : '' }
  }
  return {
    listTools: () => send('tools/list'),
    call: (tool: string, given: object) =>
      send('tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given)),
  }
}

export type Inspector = ReturnType<typeof createInspector>
