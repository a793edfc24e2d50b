import { expect, it } from 'vitest'
import { presentTool } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'

it('names only existing tools', () => {
  const names = new Set(tools.map(({ name }) => name))
  for (const tool of tools) {
    const text = JSON.stringify(presentTool({ TOOL_PREFIX: 'svc.' }, tool))
    for (const [, name = ''] of text.matchAll(/svc\.([a-z_]+)/g)) expect(names).toContain(name)
  }
})

it('says what each argument that narrows a list takes, and names nothing that only older clients send', () => {
  const lists = tools.filter(({ name }) => name === 'list_jobs' || name === 'list_uploads')
  for (const { input } of lists) {
    for (const [name, field] of Object.entries(input.shape))
      expect([name, field.description]).toEqual([name, expect.any(String)])
  }
  expect(JSON.stringify(tools.map((tool) => presentTool({ TOOL_PREFIX: 'svc.' }, tool)))).not.toContain(
    '_run_on_worker',
  )
})

it('says what a shared page allows', () => {
  const input = tools.find(({ name }) => name === 'create_share')?.input
  expect(input?.shape['allow_download']?.description).toMatch(/files/)
})

it('never says that a call which can spend is safe to repeat', () => {
  const spending = tools.filter(({ annotations }) => annotations.openWorldHint && !annotations.readOnlyHint)
  expect(spending.map(({ name, annotations }) => [name, annotations.idempotentHint])).toEqual([
    ['create_workflow_job', false],
    ['continue_workflow_job', false],
    ['create_job', false],
  ])
})

it('uses the configured prefix everywhere', () => {
  const text = JSON.stringify(tools.map((tool) => presentTool({ TOOL_PREFIX: 'media-' }, tool)))
  expect(text).toContain('media-get_agent_guide')
  expect(text).not.toContain('svc.')
})
