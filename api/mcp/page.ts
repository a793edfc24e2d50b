import { escapeMarkup } from '../../src/core/text.ts'
import { htmlPage } from '../http/html.ts'
import type { manifestDocument } from './discovery.ts'

const needs = {
  none: 'no key',
  key: 'an API key or a connector',
  account: 'an API key or a connector with the scope all',
}

/** The page for people who open the endpoint in a browser. */
export function agentsPage(manifest: ReturnType<typeof manifestDocument>): string {
  const { endpoint, title, description, tools, documentation_url } = manifest
  const configuration = {
    mcpServers: { [manifest.name]: { type: 'http', url: endpoint, headers: { Authorization: 'Bearer <API_KEY>' } } },
  }
  const rows = tools.map(
    (tool) =>
      `<dt><code>${escapeMarkup(tool.name)}</code> (${needs[tool.auth]})</dt><dd>${escapeMarkup(tool.description ?? '')}</dd>`,
  )
  return htmlPage(
    `${title} for agents`,
    `<h1>${title} for agents</h1>
<p>${description} This address serves its tools to clients of the Model Context Protocol. The <a href="${escapeMarkup(documentation_url)}">REST API reference</a> is for people.</p>
<h2>Connect</h2>
<pre>${escapeMarkup(JSON.stringify(configuration, null, 2))}</pre>
<p>Tools marked “no key” also work without the Authorization header.</p>
<h2>Tools</h2>
<dl>
${rows.join('\n')}
</dl>`,
  )
}
