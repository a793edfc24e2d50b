import { expect, it } from 'vitest'
import { nearestRequest, requestsBelow } from '../../../api/http/errors.ts'

const known = [
  ['/v1/jobs', 'GET', 'POST'],
  ['/v1/jobs/:job_id', 'GET', 'DELETE'],
  ['/v1/jobs/:job_id/cancel', 'POST'],
  ['/v1/keys/:key_id', 'PATCH'],
  ['/v1/keys/:key_id/revoke', 'POST'],
  ['/v1/workflows', 'GET'],
  ['/v1/workflows/:workflow_id/runs', 'POST'],
  ['/v1/workflow-runs/:run_id', 'GET'],
].map(([url = '', ...methods]) => ({ url, methods: new Set(['OPTIONS', ...methods]) }))

it.each([
  ['/v1/runs/run_1', 'GET /v1/workflow-runs/{run_id}'],
  ['/v1/job', 'GET /v1/jobs'],
  ['/v2/jobs', 'GET /v1/jobs'],
  ['/v1/job/job_1', 'GET /v1/jobs/{job_id}'],
  ['/v1/workflows/remove-dead-space', 'POST /v1/workflows/{workflow_id}/runs'],
  ['/v1/workflows/remove-dead-space/run', 'POST /v1/workflows/{workflow_id}/runs'],
  ['/v1/jobs/job_1/cancle', 'POST /v1/jobs/{job_id}/cancel'],
])('%s probably meant %s', (path, request) => {
  expect(nearestRequest('GET', path, known)).toBe(request)
})

it('names the method that was sent, where the path has it', () => {
  expect(nearestRequest('POST', '/v1/job', known)).toBe('POST /v1/jobs')
  expect(nearestRequest('DELETE', '/v1/job', known)).toBe('GET /v1/jobs')
})

it.each(['/v1', '/v1/', '/v1/films/1', '/v1/jobs/', `/v1${'/a'.repeat(3_000)}`])('%.20s is near nothing', (path) => {
  expect(nearestRequest('GET', path, known)).toBeUndefined()
})

it('names the requests below a path', () => {
  expect(requestsBelow('/v1/keys/key_1', known)).toEqual(['POST /v1/keys/{key_id}/revoke'])
  expect(requestsBelow('/v1/keys/key_1/revoke', known)).toEqual([])
})
