import { expect, it } from 'vitest'
import { presentTool } from '../../../api/mcp/present-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'

// What agents see. A difference here is a change of the public contract: look at it, then update with `-u`.

it.each(tools.map((tool) => [tool.name, tool] as const))('%s is shown like this', (_name, tool) => {
  expect({ auth: tool.auth, ...presentTool({ TOOL_PREFIX: 'svc.' }, tool) }).toMatchSnapshot()
})

it('puts the configured prefix everywhere', () => {
  const text = JSON.stringify(tools.map((tool) => presentTool({ TOOL_PREFIX: 'media-' }, tool)))
  expect(text).toContain('media-get_agent_guide')
  expect(text).not.toContain('svc.')
})
