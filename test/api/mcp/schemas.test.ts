import { expect, it } from 'vitest'
import { presentTool } from '../../../api/mcp/present-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'

// The tools as agents see them. A difference is a change of the public contract: review it, then update with `-u`.

it.each(tools.map((tool) => [tool.name, tool] as const))('%s is shown like this', (_name, tool) => {
  expect({ auth: tool.auth, ...presentTool({ TOOL_PREFIX: 'svc.' }, tool) }).toMatchSnapshot()
})

it('names only existing tools', () => {
  const names = new Set(tools.map(({ name }) => name))
  for (const tool of tools) {
    const text = JSON.stringify(presentTool({ TOOL_PREFIX: 'svc.' }, tool))
    for (const [, name = ''] of text.matchAll(/svc\.([a-z_]+)/g)) expect(names).toContain(name)
  }
})

it('uses the configured prefix everywhere', () => {
  const text = JSON.stringify(tools.map((tool) => presentTool({ TOOL_PREFIX: 'media-' }, tool)))
  expect(text).toContain('media-get_agent_guide')
  expect(text).not.toContain('svc.')
})
