import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { upkeepRules } from '../../activities/upkeep/index.ts'
import { environment } from '../../src/config.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const labelled = z.object({ labelNames: z.array(z.string()) })
const ruleFile = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})

/** The expected table of the page. */
async function metricsTable(): Promise<string> {
  const { registry } = createMetrics()
  const rows = (await registry.getMetricsAsJSON()).map(({ name, type, help }) => {
    const { labelNames } = labelled.parse(registry.getSingleMetric(name))
    return `| \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |`
  })
  return ['| metric | type | labels | |', '|---|---|---|---|', ...rows].join('\n')
}

describe('docs/operations.md', () => {
  it('has the table of the declared metrics', async () => {
    const [, table] = /<!-- metrics -->\n([\s\S]*?)\n?<!-- \/metrics -->/.exec(page) ?? []
    expect(table).toBe(await metricsTable())
  })

  it('has a row for each rule of upkeep', () => {
    const [, table = ''] = /<!-- upkeep -->\n([\s\S]*?)<!-- \/upkeep -->/.exec(page) ?? []
    const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, rule]) => rule)
    expect(named).toEqual(Object.keys(upkeepRules))
  })

  it('names no metric that is not declared, in alerts that parse', async () => {
    const [, rules] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const expressions = ruleFile
      .parse(parse(rules ?? ''))
      .groups.flatMap((group) => group.rules.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(3)
    const declared = (await createMetrics().registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    const named = page.match(/media_timeline_\w+/g) ?? []
    expect(named.filter((name) => !declared.includes(name))).toEqual([])
  })

  it('names the variables that switch metrics and traces on', () => {
    for (const variable of ['METRICS_ADDRESS', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'LOG_LEVEL']) {
      expect(page).toContain(`\`${variable}\``)
      expect(Object.keys(environment.shape)).toContain(variable)
    }
  })

  it('metrics are named by the conventions: seconds, and _total for counters only', async () => {
    for (const { name, type } of await createMetrics().registry.getMetricsAsJSON()) {
      expect(name).toMatch(/^media_timeline_[a-z_]+$/)
      expect([name, name.endsWith('_total')]).toEqual([name, String(type) === 'counter'])
      if (String(type) === 'histogram') expect(name).toMatch(/_seconds$/)
    }
  })
})
