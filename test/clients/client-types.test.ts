import path from 'node:path'
import { expect, it } from 'vitest'
import { clientTypes } from '../../scripts/clients/client-types.ts'

const root = path.join(import.meta.dirname, '..', '..')

it('the types of the client libraries are those of the service', async () => {
  for (const [file, text] of Object.entries(await clientTypes(root)))
    await expect(text).toMatchFileSnapshot(path.join(root, 'clients', file))
})
