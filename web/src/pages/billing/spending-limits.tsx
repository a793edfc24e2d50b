import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { type Limits, limitsQuery } from '../../api/queries.ts'
import { CapField, capOf } from '../../components/fields.tsx'
import { Field, Form, textOf } from '../../components/form.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

export function SpendingLimits({ limits }: { readonly limits: Limits }) {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState('')
  const save = useAction(async (form: FormData) => {
    setSaved('')
    const alert_percents = textOf(form, 'alert_percents').split(/[ ,]+/).filter(Boolean).map(Number)
    const { limits: now } = await resultOf(
      api.PUT('/v1/account/limits', { body: { monthly_cap_usd: capOf(form), alert_percents } }),
    )
    queryClient.setQueryData(limitsQuery.queryKey, now)
    setSaved('Saved.')
  })
  return (
    <Panel title="Cap and alerts">
      <Form action={save} submit="Save">
        <CapField
          value={limits.monthly_cap_usd}
          hint="The most that a month can cost, with credits. Left empty: no cap."
        />
        <Field
          label="Alerts, in percent of the cap"
          name="alert_percents"
          pattern="\s*((100|[1-9]\d?)([ ,]+(100|[1-9]\d?)){0,9})?\s*"
          defaultValue={limits.alert_percents.join(', ')}
          hint="Numbers from 1 to 100, such as 50, 80, 100. Each sends a mail once a month."
          autoComplete="off"
        />
      </Form>
      <p role="status" className="empty:-mt-4">
        {saved}
      </p>
    </Panel>
  )
}
