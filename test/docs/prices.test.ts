import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describePrice } from '../../api/catalog/routes.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { withPart } from './with-part.ts'

it('README.md has the summary and the price of every endpoint', async () => {
  const rows = endpoints.map((endpoint) => `| \`${endpoint.id}\` | ${endpoint.summary} | ${describePrice(endpoint)} |`)
  const table = ['| endpoint | what it does | price |', '|---|---|---|', ...rows].join('\n')
  // `npx vitest run test/docs -u` writes the table.
  await expect(withPart(readFileSync('README.md', 'utf8'), 'prices', table)).toMatchFileSnapshot('../../README.md')
})
