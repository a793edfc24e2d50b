import type { StartDeliveriesInput } from '../src/temporal/job-client.ts'
import { type DueBatch, findDue, recordAnswers, validSecrets } from '../src/webhooks/deliveries.ts'
import { signatureHeaders } from '../src/webhooks/secrets.ts'
import { sendWebhook } from '../src/webhooks/send-webhook.ts'
import type { Dependencies } from './dependencies.ts'
import { whileBeating } from './worker/run-activity.ts'

export interface DeliverDueResult {
  /** Until the next delivery is due, 0 if it is now; undefined if none is pending. */
  readonly nextInMs?: number
}

/** After this, the task slot is given back: others may wait for it. */
const turnMilliseconds = 45_000

/** Slow receivers leave the task slots to others for a moment. */
const restMilliseconds = 10_000

type DeliverDependencies = Pick<Dependencies, 'db' | 'logger' | 'metrics' | 'webhooks'>

/** Sends what is due to the endpoint, batch after batch, and records each answer. A receiver's failure is no failure of this. */
export async function deliverDue(
  deps: DeliverDependencies,
  { endpointId }: StartDeliveriesInput,
): Promise<DeliverDueResult> {
  const { db, webhooks, metrics } = deps
  const began = performance.now()
  return whileBeating(async (signal) => {
    for (;;) {
      const batch = await findDue(db, endpointId)
      if (!batch) return {}
      const now = new Date()
      const secrets = secretsOf(deps, batch.endpoint, now)
      const url = new URL(batch.endpoint.url)
      const attempts = batch.deliveries.map(async (delivery) => {
        if (!secrets) return { ...delivery, answer: { failure: 'secret_lost' } as const }
        const message = { id: delivery.eventId, body: delivery.payload, at: now }
        const headers = { 'content-type': 'application/json', ...signatureHeaders(secrets, message) }
        const answer = await sendWebhook(url, webhooks.access, { headers, body: delivery.payload }, signal)
        metrics.webhookAttempts.inc({ outcome: answer.failure ?? 'delivered' })
        return { ...delivery, answer }
      })
      const next = await recordAnswers(db, { endpoint: batch.endpoint, deliveries: await Promise.all(attempts) })
      if (!next) return {}
      const nextInMs = Math.max(0, next.getTime() - Date.now())
      if (nextInMs > 0) return { nextInMs }
      if (performance.now() - began > turnMilliseconds) return { nextInMs: restMilliseconds }
      signal.throwIfAborted()
    }
  })
}

/** Undefined if the signing secret that sealed them was given up before upkeep sealed them again: only a rotation of theirs helps. */
function secretsOf({ webhooks, logger }: DeliverDependencies, endpoint: DueBatch['endpoint'], now: Date) {
  try {
    return validSecrets(webhooks.signing, endpoint, now)
  } catch (error) {
    logger.error({ endpointId: endpoint.id, err: error }, 'the secret of a webhook endpoint cannot be read')
    return undefined
  }
}
