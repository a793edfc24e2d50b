import type { Client } from '../../scripts/client.ts'
import { until } from './until.ts'

/** Posts a job as a careful client does: again, with the same Idempotency-Key, until it is accepted. */
export async function postJob(client: Client, body: Record<string, unknown>, seconds = 60): Promise<void> {
  const headers = { 'idempotency-key': 'the-one-job' }
  const post = async () => {
    const { status } = await client.send('POST', '/v1/jobs', body, headers)
    return status === 200 || status === 202
  }
  await until('the job is accepted', post, seconds)
}
