import { ApiError, api, resultOf } from '../../api/client.ts'
import { webhooksQuery } from '../../api/queries.ts'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

const groups = {
  Jobs: ['job.completed', 'job.failed', 'job.canceled'],
  Runs: ['workflow_run.completed', 'workflow_run.failed', 'workflow_run.canceled'],
  Uploads: ['upload.received'],
} as const

export function NewWebhook({ onMade }: { readonly onMade: (secret: string) => void }) {
  const create = useAction(async (form: FormData) => {
    const event_types = Object.entries(groups).flatMap(([name, types]) => (form.has(name) ? types : []))
    // To the service, an empty list is every event, also those of later releases.
    if (event_types.length === 0)
      throw new ApiError('Choose at least one kind of events.', { code: 'no_events', status: 0 })
    const body = { url: textOf(form, 'url'), description: textOf(form, 'description'), event_types }
    const { secret } = await resultOf(api.POST('/v1/webhook-endpoints', { body }))
    onMade(secret)
  }, webhooksQuery)
  return (
    <Panel title="New webhook endpoint">
      <Form action={create} submit="Add the endpoint">
        <Field
          label="URL"
          name="url"
          type="url"
          required
          maxLength={2048}
          placeholder="https://app.example.com/hooks/media"
          hint="It must answer with a status of 200 to 299 within 15 seconds."
        />
        <Field
          label="Description"
          name="description"
          maxLength={200}
          autoComplete="off"
          hint="To recognize the endpoint by."
        />
        <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
          <legend className="pb-1.5 font-medium">Events</legend>
          {Object.keys(groups).map((name) => (
            <label key={name} className="flex min-h-9 items-center gap-2">
              <input type="checkbox" name={name} defaultChecked className="size-4 accent-(--color-accent)" />
              {name}
            </label>
          ))}
        </fieldset>
      </Form>
    </Panel>
  )
}
