import { type ErrorCode, errorCodes, errorTable } from '../../src/core/errors.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import { htmlPage, pageStyle } from '../http/html.ts'

const inJob = 'in <code>job.error</code>'

/** Where a code is seen, if its status does not say it. */
const seenIn: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: `400, or ${inJob} if it shows only when the media is read, such as a start past its end`,
  billing_required: `402, or ${inJob} once the length of the media is known`,
  spend_cap_reached: `402, or ${inJob} once the length of the media is known`,
  price_limit_reached: '402, or in <code>run.error</code>',
  unsupported_file_type: `415, or ${inJob}`,
  media_blocked: `422, or ${inJob}. If the URL itself shows that it is not allowed, nothing is created: 400 <code>invalid_request</code>`,
  nothing_found: inJob,
  cut_too_large: inJob,
  canceled: inJob,
  timed_out: `422 if reading the media for a price takes too long: send <code>media_seconds</code>. Or ${inJob}`,
}

/** Another advice than `retryable`, which is about the same request in the same state. */
const worthRetrying: Readonly<Partial<Record<ErrorCode, string>>> = { conflict: 'after a change' }

/** The page with the error table, which `docs_url` links to. */
export function errorsPage(): string {
  const rows = errorCodes.map((code) => {
    const { httpStatus, retryable, message } = errorTable[code]
    const seen = seenIn[code] ?? (httpStatus === 422 ? `422, or ${inJob}` : String(httpStatus))
    const retried = worthRetrying[code] ?? (retryable ? 'yes' : 'no')
    return `<tr id="${code}"><td><code>${code}</code></td><td>${seen}</td><td>${retried}</td><td>${escapeMarkup(message)}</td></tr>`
  })
  return htmlPage(
    'Errors',
    `<h1>Errors</h1>
<p>Every error is <code>{ "error": { "code", "message", "request_id", "docs_url", "job_id" } }</code>. The message says what to do next. <code>job_id</code> is there if the error is about a job. Name the request id when you report a problem. A failed job has its error in <code>job.error</code>, and a failed run that of its step, or its own, in <code>run.error</code>.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Worth retrying</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><a href="/docs/">API reference</a></p>`,
    errorsStyle,
  )
}

/** On a phone, each error is a block instead of a row. */
export const errorsStyle = `${pageStyle}
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0; }
th { white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
tr:target { background: color-mix(in srgb, var(--accent) 12%, transparent); }
td:first-child { font-weight: 600; white-space: nowrap; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: 0.5rem 0; }
  td { display: block; padding: 0.125rem 0; }
  td:nth-child(2)::before { content: 'HTTP status: '; }
  td:nth-child(3)::before { content: 'Worth retrying: '; }
}
`
