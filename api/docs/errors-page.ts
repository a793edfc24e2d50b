import { errorCodes, errorTable } from '../../src/core/errors.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import { htmlPage } from '../http/html.ts'

/** The page with the error table, which `docs_url` links to. */
export function errorsPage(): string {
  const rows = errorCodes.map((code) => {
    const { httpStatus, retryable, message } = errorTable[code]
    const seen = httpStatus === 422 ? 'in <code>job.error</code>' : String(httpStatus)
    return `<tr id="${code}"><td><code>${code}</code></td><td>${seen}</td><td>${retryable ? 'yes' : 'no'}</td><td>${escapeMarkup(message)}</td></tr>`
  })
  return htmlPage(
    'Errors',
    `<h1>Errors</h1>
<p>Every error is <code>{ "error": { "code", "message", "request_id", "docs_url", "job_id" } }</code>. The message says what to do next; name the request id when you report a problem.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Worth retrying</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><a href="/docs">API reference</a></p>`,
    errorsStyle,
  )
}

export const errorsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid #8884; }
tr:target { background: #fd03; }
`
