import path from 'node:path'
import { expect, it } from 'vitest'
import { apiTypes } from '../../scripts/web/api-types.ts'

const root = path.join(import.meta.dirname, '..', '..')

it('the types of the dashboard are those of docs/openapi.json', async () => {
  await expect(await apiTypes(root)).toMatchFileSnapshot('../../web/src/api/schema.d.ts')
})
