import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooksQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Secret } from '../../components/secret.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { WebhookItem } from './webhook-item.tsx'

export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const [secret, setSecret] = useState<string>()
  return (
    <Page
      title="Webhooks"
      lead="The service posts an event to your URL when a job or a run ends, or an upload arrives, signed as Standard Webhooks states."
    >
      {secret ? (
        <Secret title="The signing secret" secret={secret} onDone={() => setSecret(undefined)}>
          <p>
            Store it now: it is shown only once. Your receiver verifies each event with it, such as with a library of
            Standard Webhooks.
          </p>
        </Secret>
      ) : (
        <NewWebhook onMade={setSecret} />
      )}
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty icon="webhooks" text="Add an endpoint above. It appears here, with what was sent to it." />
          ) : (
            <ul aria-label="Webhook endpoints" className="flex flex-col gap-3">
              {endpoints.map((endpoint) => (
                <WebhookItem key={endpoint.id} endpoint={endpoint} onSecret={setSecret} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}
