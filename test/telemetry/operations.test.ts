import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { upkeepRules } from '../../activities/upkeep/index.ts'
import type { UpkeepRule } from '../../activities/upkeep/rule.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { environment } from '../../src/variables.ts'
import { withPart } from '../docs/with-part.ts'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const labelled = z.object({ labelNames: z.array(z.string()) })
const ruleFile = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})

/** A table row for each metric. */
async function metricsTable(): Promise<string> {
  const { registry } = createMetrics()
  const rows = (await registry.getMetricsAsJSON()).map(({ name, type, help }) => {
    const { labelNames } = labelled.parse(registry.getSingleMetric(name))
    return `| \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |`
  })
  return ['| metric | type | labels | |', '|---|---|---|---|', ...rows].join('\n')
}

const rules = Object.entries<UpkeepRule>(upkeepRules)

/** A table row for each rule of upkeep. */
function upkeepTable(): string {
  const rows = rules.map(([name, { description, cause = 'routine' }]) => `| \`${name}\` | ${description} | ${cause} |`)
  return ['| rule | what it does | why there is something to do |', '|---|---|---|', ...rows].join('\n')
}

describe('docs/operations.md', () => {
  it('has every metric and rule of upkeep as declared, and an alert on each repair that is not routine', async () => {
    const causes = rules.filter(([, { cause }]) => cause !== undefined).map(([name]) => name)
    expect(causes.length).toBeGreaterThan(3)
    const alert = /(upkeep_repairs_total\{rule=~")[^"]*/
    expect(page).toMatch(alert)
    const tables = withPart(withPart(page, 'metrics', await metricsTable()), 'upkeep', upkeepTable())
    // `npx vitest run test/telemetry -u` writes the page.
    await expect(tables.replace(alert, `$1${causes.join('|')}`)).toMatchFileSnapshot('../../docs/operations.md')
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
