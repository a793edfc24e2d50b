import { findDue, recordAnswers, validSecrets } from '../src/webhooks/deliveries.ts'
import { signatureHeaders } from '../src/webhooks/secrets.ts'
import { sendWebhook } from '../src/webhooks/send-webhook.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface DeliverDueInput {
  readonly endpointId: string
  readonly accountId: string
}

export interface DeliverDueResult {
  /** Until the next delivery is due, 0 if it is now; undefined if none is pending. */
  readonly nextInMs?: number
}

/** After this, the task slot is given back: others may wait for it. */
const turnMilliseconds = 45_000

type DeliverDependencies = Pick<Dependencies, 'db' | 'metrics' | 'webhooks'>

/** Sends what is due to the endpoint, batch after batch, and records each answer. A receiver's failure is no failure of this. */
export async function deliverDue(
  { db, webhooks, metrics }: DeliverDependencies,
  { endpointId }: DeliverDueInput,
): Promise<DeliverDueResult> {
  const began = performance.now()
  return whileBeating(async (signal) => {
    for (;;) {
      const batch = await findDue(db, endpointId)
      if (!batch) return {}
      const now = new Date()
      const secrets = validSecrets(webhooks.signing, batch.endpoint, now)
      const url = new URL(batch.endpoint.url)
      const attempts = batch.deliveries.map(async (delivery) => {
        const message = { id: delivery.eventId, body: delivery.payload, at: now }
        const headers = { 'content-type': 'application/json', ...signatureHeaders(secrets, message) }
        const answer = await sendWebhook(url, webhooks.access, { headers, body: delivery.payload }, signal)
        metrics.webhookAttempts.inc({ outcome: answer.failure ?? 'delivered' })
        return { ...delivery, answer }
      })
      const next = await recordAnswers(db, { endpoint: batch.endpoint, deliveries: await Promise.all(attempts) })
      if (!next) return {}
      const nextInMs = Math.max(0, next.getTime() - Date.now())
      if (nextInMs > 0 || performance.now() - began > turnMilliseconds) return { nextInMs }
      signal.throwIfAborted()
    }
  })
}
