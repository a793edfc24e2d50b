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
