interface Declared {
  readonly title: string
  /** By the name of a list with times in its results: what one of its entries is called. */
  readonly nouns?: Readonly<Record<string, string>>
}

/** What endpoints and chains declare of their names, which the build fills in (`web/vite.config.ts`). */
declare const __WORKS__: Readonly<Record<string, Declared>>

/** What people call an endpoint or a chain. */
export function workTitle(id: string): string {
  return __WORKS__[id]?.title ?? id
}

export function nounsOf(endpoint: string): Readonly<Record<string, string>> {
  return __WORKS__[endpoint]?.nouns ?? {}
}

/** What the studio makes with an endpoint of another title, as the metadata of its jobs says. */
export const madeFor = 'made_for'
const titlesOfMade: Readonly<Record<string, string>> = { playback: 'Playable copy', short: 'Short' }

interface Work {
  readonly endpoint: string
  readonly metadata?: Readonly<Record<string, string>>
}

/** What people call a job. */
export function jobTitle({ endpoint, metadata }: Work): string {
  return titlesOfMade[metadata?.[madeFor] ?? ''] ?? workTitle(endpoint)
}
