import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { type Chain, chains } from '../../src/chains/chains.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { settingsSchema } from '../catalog/endpoint-schemas.ts'

export type Work = Chain | LiveEndpoint

const works: readonly Work[] = [...chains, ...endpoints]

/** Words that say nothing about the work. */
const commonWords = new Set(
  'a an and are as be by for i in is it its make me my of on or that the this video was with you your'.split(' '),
)

const index = new MiniSearch<ReturnType<typeof textsOf>>({
  fields: ['keywords', 'name', 'summary', 'details'],
  processTerm: (term) => {
    const word = term.toLowerCase()
    // Times and numbers name no work.
    return commonWords.has(word) || !/\p{L}/u.test(word) ? null : stemmer(word)
  },
  searchOptions: { boost: { keywords: 4, name: 2, summary: 2, details: 0.5 } },
})
index.addAll(works.map(textsOf))

function textsOf(work: Work) {
  const { id, summary, keywords } = work
  if ('steps' in work) return { id, keywords, name: work.title, summary, details: '' }
  const details = [work.description, JSON.stringify(settingsSchema(work)), JSON.stringify(work.example)].join(' ')
  return { id, keywords, name: id.replace(`${work.group}/`, ''), summary, details }
}

/** The chains and endpoints whose texts share most words with the goal (BM25), at most `limit`, best first. */
export function rankWork(goal: string, limit: number): Work[] {
  return index
    .search(goal)
    .slice(0, limit)
    .flatMap((found) => works.filter(({ id }) => id === found.id))
}
