import { expect } from 'vitest'

export interface Scrape {
  readonly types: ReadonlyMap<string, string>
  /** The samples of a name, with their labels. */
  samples(name: string): { labels: Record<string, string>; value: number }[]
  /** The only sample of a name with these labels. */
  value(name: string, labels?: Record<string, string>): number | undefined
}

/** Reads and parses the Prometheus text of an address. */
export async function scrape(address: string): Promise<Scrape> {
  const response = await fetch(`http://${address}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  return parse(await response.text())
}

function parse(text: string): Scrape {
  const types = new Map<string, string>()
  const all: { name: string; labels: Record<string, string>; value: number }[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const type = /^# TYPE (\S+) (\w+)$/.exec(line)
    if (type?.[1] && type[2]) {
      expect(types.has(type[1]), `${type[1]} is declared twice`).toBe(false)
      types.set(type[1], type[2])
    }
    if (line.startsWith('#')) continue
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (!sample?.[1]) throw new Error(`not a line of the text format: ${line}`)
    const pairs = [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    const labels = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]))
    all.push({ name: sample[1], labels, value: Number(sample[3]) })
  }
  const samples = (name: string) => all.filter((sample) => sample.name === name)
  return {
    types,
    samples,
    value: (name, labels = {}) => {
      const matching = samples(name).filter(({ labels: has }) => Object.entries(labels).every(([k, v]) => has[k] === v))
      expect(matching.length).toBeLessThan(2)
      return matching[0]?.value
    },
  }
}
