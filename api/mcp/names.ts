import type { Config } from '../../src/config.ts'
import type { Tool } from './define-tool.ts'

type Prefix = Pick<Config, 'TOOL_PREFIX'>

export function publicName({ TOOL_PREFIX }: Prefix, { name }: Pick<Tool, 'name'>): string {
  return `${TOOL_PREFIX}${name}`
}

/** Declarations and texts name tools as `svc.<name>`: the configured prefix takes its place. */
export function withPrefix({ TOOL_PREFIX }: Prefix, text: string): string {
  return TOOL_PREFIX === 'svc.' ? text : text.replaceAll(/\bsvc\.(?=[a-z])/g, () => TOOL_PREFIX)
}

/** Newest of each generation first: what the server offers where a client asks for one that it does not know. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'] as const

export const serverName = 'media-timeline'
export const serverTitle = 'Media Timeline'
