import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/create-account.ts'
import { inRolledBackTransaction } from '../../src/store/database.ts'
import { tracesInDatabase } from '../deletion/traces.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

it('rolls back what it sees, the transactions of its caller included', async () => {
  let seen: readonly string[] = []
  await inRolledBackTransaction(db, async (inside) => {
    await createAccount(inside, 'Nobody')
    await createAccount(inside, 'Nobody either')
    seen = await tracesInDatabase(inside, ['Nobody'])
  })
  expect(seen).toEqual(['accounts'])
  expect(await tracesInDatabase(db, [''])).toEqual([])
})

it('throws what its caller throws, and rolls back', async () => {
  const failing = inRolledBackTransaction(db, async (inside) => {
    await createAccount(inside, 'Nobody')
    throw new Error('stumbled')
  })
  await expect(failing).rejects.toThrow('stumbled')
  expect(await tracesInDatabase(db, [''])).toEqual([])
})
