/** The Python of a client without `await`, from that of the client for `asyncio`: each call is written once. */
export const withoutAwait = (source: string): string =>
  replacements.reduce((text, [from, to]) => text.replaceAll(from, to), source.slice(source.indexOf('from __future__')))

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\basync def\b/g, 'def'],
  [/\bawait /g, ''],
  [/\bRunJobAsync\b/g, 'RunJob'],
  [/\bAsync(Iterator|MediaTimeline)\b/g, '$1'],
  [/\bhttpx\.AsyncClient\b/g, 'httpx.Client'],
  [/\bAsync(?=[A-Z])/g, 'Sync'],
  [/\b_async_(\w+)/g, '_sync_$1_gen'],
  [/\b(__)?a(close|enter__|exit__)\b/g, '$1$2'],
]
