import { pageLimit } from '../http/pages.ts'
import { keyRoute } from '../http/route.ts'
import { keyErrors } from '../http/schemas.ts'
import { highlightOf, pageOfPassages, presentPassage, searchPage, searchQuery } from './search.ts'

/** `GET /v1/search` */
export const searchRoute = keyRoute({
  method: 'GET',
  url: '/v1/search',
  schema: {
    operationId: 'search',
    tags: ['jobs'],
    summary: 'Search what was said and shown',
    description:
      'Finds words in the transcripts, chunks and on-screen text of the completed jobs that the key covers, with their media and times. English endings and common words do not count. If several jobs found the same text at the same time in the same media, the newest of them is listed. Of more than 300 matches, 300 are ranked: the newest among the last 1,000 passages in the last 600 jobs of the account, then older ones. Deleted jobs are not found.',
    security: [{ ApiKey: [] }],
    querystring: searchQuery.extend({ limit: pageLimit }),
    response: { ...keyErrors, 200: searchPage },
  },
  handler: async (request, { context, credential }) => {
    const { q: words, ...page } = request.query
    const { passages, ...next } = await pageOfPassages(context, credential, { words, ...page })
    const results = passages.map((passage) => ({
      ...presentPassage(passage),
      text: passage.text,
      highlight: highlightOf(passage),
    }))
    return { request_id: request.id, results, ...next }
  },
})
