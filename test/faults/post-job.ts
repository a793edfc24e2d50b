import type { Client } from '../../scripts/client.ts'
import { until } from './until.ts'

/** Posts a job like a careful client: repeats it with the same Idempotency-Key until it is accepted. */
export async function postJob(client: Client, body: Record<string, unknown>): Promise<void> {
  await post(client, '/v1/jobs', body)
}

/** The same for a run of *Remove dead space*. */
export async function postRun(client: Client, body: Record<string, unknown>): Promise<void> {
  await post(client, '/v1/workflows/remove-dead-space/runs', { ...body, mode: 'run_all' })
}

async function post(client: Client, route: string, body: Record<string, unknown>): Promise<void> {
  const headers = { 'idempotency-key': 'the-one-job' }
  const isAccepted = async () => {
    const { status } = await client.send('POST', route, body, headers)
    return status === 200 || status === 202
  }
  await until('the job is accepted', isAccepted, 60)
}
