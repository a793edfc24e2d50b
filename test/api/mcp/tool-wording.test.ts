import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inTools } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'
import { errorTable } from '../../../src/core/errors.ts'

describe('a message of REST, for agents', () => {
  it.each([
    [
      'POST /v1/jobs/job_a/outputs/refresh returns the present URLs.',
      'svc.regenerate_output_url returns the present URLs.',
    ],
    ['GET /v1/uploads/upl_a returns the media_url.', 'svc.list_uploads returns the media_url.'],
    ['Use POST /v1/workflows/remove-dead-space/runs. It plans.', 'Use svc.create_workflow_job. It plans.'],
    ['POST /v1/jobs runs one endpoint', 'svc.create_job runs one endpoint'],
    ['Open it, or upload the file.', 'Open it, or upload the file with svc.create_upload.'],
    ['A job has no such field.', 'A job has no such field.'],
  ])('%s', (message, expected) => {
    expect(inTools(message)).toBe(expected)
    const named = [...expected.matchAll(/svc\.(\w+)/g)].map(([, name]) => name)
    for (const name of named) expect(tools.map((tool) => tool.name)).toContain(name)
  })

  it('of the error table names no request', () => {
    for (const { message } of Object.values(errorTable)) expect(inTools(message)).not.toMatch(/\/v1\/|Idempotency-Key/)
  })
})

it('no message of REST names a tool', async () => {
  const mcp = path.join('api', 'mcp')
  for (const folder of ['api', 'src', 'activities', 'workflows']) {
    for (const name of await readdir(folder, { recursive: true })) {
      const file = path.join(folder, name)
      if (!file.endsWith('.ts') || file.startsWith(mcp)) continue
      expect(await readFile(file, 'utf8'), file).not.toMatch(/\bsvc\.[a-z]/)
    }
  }
})
