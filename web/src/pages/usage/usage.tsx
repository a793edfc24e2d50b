import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../api/generated/schema.d.ts'
import { usageQuery } from '../../api/queries.ts'
import { Select } from '../../components/form.tsx'
import { wholeNumber } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { daysOf, lastMonths, monthInWords } from '../../components/months.ts'
import { Page } from '../../components/page.tsx'
import { Price } from '../../components/price.tsx'
import { workTitle } from '../../components/work-title.ts'
import { DayChart } from './day-chart.tsx'
import { UsageTable } from './usage-table.tsx'

const groups = ['day', 'endpoint', 'key'] as const
type Group = (typeof groups)[number]
const groupNames = { day: 'Day', endpoint: 'Kind of work', key: 'Key' }

export function UsagePage() {
  const months = lastMonths(new Date(), 12)
  const [month, setMonth] = useState(months[0] ?? '')
  const [group, setGroup] = useState<Group>('day')
  const days = daysOf(month)
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const byDay = useQuery(usageQuery(from, to, 'day'))
  const grouped = useQuery(usageQuery(from, to, group))
  return (
    <Page title="Usage" lead="What jobs cost, by the UTC day of their creation. Failed and canceled jobs cost nothing.">
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Select
          label="Month"
          value={month}
          onChange={({ target }) => setMonth(target.value)}
          choices={months.map((each) => [each, monthInWords(each)])}
        />
        <Select
          label="Listed by"
          value={group}
          onChange={({ target }) => setGroup(groups.find((each) => each === target.value) ?? 'day')}
          choices={groups.map((each) => [each, groupNames[each]])}
        />
      </div>
      <Loaded query={byDay}>
        {({ usage, total }) => (
          <>
            <p role="status" className="text-lg">
              <strong>
                <Price amount={total.amount_usd} />
              </strong>{' '}
              for {wholeNumber(total.jobs_completed)} completed {total.jobs_completed === 1 ? 'job' : 'jobs'} in{' '}
              {monthInWords(month)}
            </p>
            {total.amount_usd > 0 && (
              <DayChart days={days} amounts={new Map(usage.map((row) => [row.day ?? '', row.amount_usd]))} />
            )}
          </>
        )}
      </Loaded>
      <Loaded query={grouped}>{({ usage }) => <UsageTable by={groupNames[group]} rows={usage.map(rowOf)} />}</Loaded>
    </Page>
  )
}

type Row = components['schemas']['Usage']['usage'][number]

function rowOf(row: Row) {
  const { day, endpoint, key_name, key_id } = row
  const key = day ?? endpoint ?? key_id ?? 'In the dashboard'
  return { ...row, key, of: (endpoint && workTitle(endpoint)) ?? key_name ?? key }
}
