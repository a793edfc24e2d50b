import { z } from 'zod'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { shareAsAsked, shareRequest, shareSchema } from '../../shares/shares.ts'
import { add, defineTool, jobOrRunIdArgument } from '../define-tool.ts'

const { expires_in_seconds, allow_download } = shareRequest.shape

// Every client reads the list of tools: the route has more choices, and says more.
const input = strictFields({
  job_id: jobOrRunIdArgument,
  expires_in_seconds: expires_in_seconds.describe('A week when left out, at most 30 days.'),
  allow_download: allow_download.describe('Whether the page links to the files.'),
})

export const createShareTool = defineTool({
  name: 'create_share',
  title: 'Share a result by a link',
  description:
    'Returns a public link to a page that shows a completed job or run without an account. Ask the user first.',
  auth: 'key',
  annotations: add,
  input,
  example: { job_id: 'job_…', allow_download: true },
  output: z.object({ share: shareSchema, url: z.url() }),
  run: async ({ job_id: id, ...asked }, { context, credential }) => {
    const subject = isId('run', id) ? { run_id: id } : { job_id: id }
    const chosen = { allow_embed: false, include_source: false, include_transcript: false }
    const shared = await shareAsAsked(context, credential, { ...subject, ...asked, ...chosen })
    const { share, url } = shared
    // The tokens of connectors are refused there.
    const byKey = isId('key', credential.keyId ?? '') ? `, and this key by DELETE /v1/shares/${share.id}` : ''
    return {
      structured: shared,
      text: `${url} shows the result until ${share.expires_at} to everybody who has the link. It is told only now. The owner revokes it at ${context.config.BASE_URL}/dashboard/shares${byKey}.`,
    }
  },
})
