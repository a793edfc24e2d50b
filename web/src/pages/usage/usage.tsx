import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usageQuery } from '../../api/queries.ts'
import { inputStyle } from '../../components/form.tsx'
import { usd, wholeNumber } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { daysOf, lastMonths, monthInWords } from '../../components/months.ts'
import { Page } from '../../components/page.tsx'
import { DayChart } from './day-chart.tsx'
import { DayTable } from './day-table.tsx'

export function UsagePage() {
  const months = lastMonths(new Date(), 12)
  const [month, setMonth] = useState(months[0] ?? '')
  const days = daysOf(month)
  const usage = useQuery(usageQuery(days[0] ?? '', days.at(-1) ?? ''))
  return (
    <Page title="Usage" lead="What jobs cost, by the UTC day of their creation. Failed and canceled jobs cost nothing.">
      <label className="flex max-w-60 flex-col gap-1.5 font-medium">
        Month
        <select
          value={month}
          onChange={(event) => setMonth(event.target.value)}
          className={`${inputStyle} font-normal`}
        >
          {months.map((each) => (
            <option key={each} value={each}>
              {monthInWords(each)}
            </option>
          ))}
        </select>
      </label>
      <Loaded query={usage}>
        {({ usage: rows, total }) => {
          const found = rows.flatMap(({ day, ...counts }) => (day ? [{ day, ...counts }] : []))
          return (
            <div className="flex flex-col gap-6">
              <p role="status" className="text-lg">
                <strong>{usd(total.amount_usd)}</strong> for {wholeNumber(total.jobs_completed)} completed{' '}
                {total.jobs_completed === 1 ? 'job' : 'jobs'} in {monthInWords(month)}
              </p>
              <DayChart days={days} amounts={new Map(found.map((row) => [row.day, row.amount_usd]))} />
              <DayTable rows={found} />
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}
