import { describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { resumeAccount } from '../../src/accounts/suspension.ts'
import { newId } from '../../src/core/ids.ts'
import { dayMs } from '../../src/core/time-code.ts'
import { lockAccount, type Transaction } from '../../src/db/database.ts'
import { Prisma } from '../../src/db/generated/client.ts'
import { markUploadsDeleted } from '../../src/jobs/delete.ts'
import { findStoringAccount, readStoredBytes, recordStoredBytes } from '../../src/uploads/storage-limits.ts'
import {
  claimUpload,
  createUpload,
  findExpiredUploads,
  releaseUploadClaim,
  renewUploadClaim,
} from '../../src/uploads/uploads.ts'
import { config, suspend } from '../accounts/owners.ts'
import { openTestDatabase } from '../setup/database.ts'
import { untilFound } from '../until-found.ts'

const db = await openTestDatabase()
const MiB = 2 ** 20
const limit = { maxBytesInFlight: 10 * MiB, storageLimits: { perAccount: 100 * MiB, beforePayment: 4 * MiB } }

async function newUpload(accountId: string): Promise<string> {
  const id = newId('upl')
  const key = `uploads/${id}/media.mp4`
  const file = { objectKey: key, fileName: 'a.mp4', contentType: 'video/mp4' }
  await createUpload(db, { id, accountId, ...file, expiresAt: new Date(Date.now() + 60_000) })
  return key
}

async function claimedId(key: string): Promise<string> {
  const claim = await claimUpload(db, { key, bytes: MiB, ...limit })
  if (claim.status !== 'claimed') throw new Error(claim.status)
  return claim.id
}

const bytesStop = (key: string) =>
  db.upload.update({ where: { objectKey: key }, data: { claimEndsAt: new Date(Date.now() - 1) } })

describe('an upload', () => {
  it('is claimed by one of 30 simultaneous PUTs', async () => {
    const key = await newUpload(await createAccount(db, 'one winner'))
    const claims = await Promise.all(Array.from({ length: 30 }, () => claimUpload(db, { key, bytes: MiB, ...limit })))
    expect(claims.filter(({ status }) => status === 'claimed')).toHaveLength(1)
    expect(claims.filter(({ status }) => status === 'taken')).toHaveLength(29)
  })

  it('can be claimed again when its PUT has ended, or when its bytes have stopped', async () => {
    const key = await newUpload(await createAccount(db, 'again'))
    const first = await claimedId(key)
    expect(await renewUploadClaim(db, key, first)).toBe('renewed')
    await releaseUploadClaim(db, key, first)
    const second = await claimedId(key)
    await bytesStop(key)
    const third = await claimedId(key)
    expect(await renewUploadClaim(db, key, second)).toBe('taken')
    // Ends the claim of nobody else.
    await releaseUploadClaim(db, key, second)
    expect(await claimUpload(db, { key, bytes: MiB, ...limit })).toEqual({ status: 'taken' })
    expect(await renewUploadClaim(db, key, third)).toBe('renewed')
  })

  it('that has expired is there until its PUT has ended, and takes no other', async () => {
    const key = await newUpload(await createAccount(db, 'expired'))
    await claimedId(key)
    await db.upload.update({ where: { objectKey: key }, data: { expiresAt: new Date(Date.now() - 1000) } })
    const isExpired = async () =>
      (await findExpiredUploads(db, new Date(), { limit: 1000 })).some(({ objectKey }) => objectKey === key)
    expect(await isExpired()).toBe(false)
    await bytesStop(key)
    expect(await isExpired()).toBe(true)
    expect(await claimUpload(db, { key, bytes: MiB, ...limit })).toEqual({ status: 'unknown' })
  })

  it('of an account that was deleted is not claimed any more, and its PUT ends', async () => {
    const accountId = await createAccount(db, 'deleted')
    const [key, other] = [await newUpload(accountId), await newUpload(accountId)]
    const claim = await claimedId(key)
    await db.account.update({ where: { id: accountId }, data: { deletedAt: new Date() } })
    expect(await renewUploadClaim(db, key, claim)).toBe('taken')
    expect(await claimUpload(db, { key: other, bytes: MiB, ...limit })).toEqual({ status: 'unknown' })
  })

  it('counts what a PUT stored after its claim was over, and leaves the claim of the next one', async () => {
    const key = await newUpload(await createAccount(db, 'outlived'))
    const first = await claimedId(key)
    await bytesStop(key)
    const second = await claimedId(key)
    await releaseUploadClaim(db, key, first, { bytes: 70, keptDays: 30 })
    const row = () => db.upload.findUniqueOrThrow({ where: { objectKey: key } })
    expect(await row()).toMatchObject({ bytes: 70n, claimId: second })
    await releaseUploadClaim(db, key, second)
    expect(await row()).toMatchObject({ bytes: 70n, claimId: null })
  })

  it('counts all bytes of a resumable upload after a PUT of it was killed, and nothing that another PUT left', async () => {
    const accountId = await createAccount(db, 'killed')
    const [resumable, whole] = [await newUpload(accountId), await newUpload(accountId)]
    const part = { key: resumable, bytes: 8 * MiB, session: 1, ...limit }
    expect(await claimUpload(db, part)).toMatchObject({ status: 'claimed' })
    await claimedId(whole)
    for (const key of [resumable, whole]) await bytesStop(key)
    const account = await findStoringAccount(db, accountId)
    const { stored } = await readStoredBytes(db, account, limit.storageLimits)
    expect(stored).toBe(8 * MiB + 64 * 1024)
    // The next PUT of it counts no more.
    const storageLimits = { perAccount: stored, beforePayment: stored }
    expect(await claimUpload(db, { ...part, storageLimits })).toMatchObject({ status: 'claimed' })
  })

  it('is kept as long as others by the record of its bytes, also if its claim is not released', async () => {
    const key = await newUpload(await createAccount(db, 'kept'))
    await claimedId(key)
    const row = () => db.upload.findUniqueOrThrow({ where: { objectKey: key } })
    await recordStoredBytes(db, await row(), { bytes: 70, keptDays: 30 })
    const { createdAt, expiresAt } = await row()
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(30 * dayMs)
  })

  it('does not begin if the account would store too much, and counts what earlier PUTs stored', async () => {
    const accountId = await createAccount(db, 'stored')
    const claim = async (key: string, bytes: number) => claimUpload(db, { key, bytes, ...limit })
    const [first, second] = [await newUpload(accountId), await newUpload(accountId)]
    await releaseUploadClaim(db, first, await claimedId(first), { bytes: 99.5 * MiB, keptDays: 30 })
    await expect(claim(second, MiB)).rejects.toMatchObject({ code: 'storage_limit_reached' })
    expect(await claim(second, 0.5 * MiB)).toMatchObject({ status: 'claimed' })
    // The other one is still sending its bytes.
    await expect(claim(await newUpload(accountId), 1)).rejects.toThrow(/stores .* may store .* counts as/)
    await db.upload.updateMany({ where: { objectKey: first }, data: { deletedAt: new Date(), erasedAt: new Date() } })
    expect(await claim(await newUpload(accountId), 9 * MiB)).toMatchObject({ status: 'claimed' })
  })

  it('counts what erased uploads leave until they are forgotten', async () => {
    const accountId = await createAccount(db, 'erased')
    const [erased, next] = [await newUpload(accountId), await newUpload(accountId)]
    await db.upload.update({ where: { objectKey: erased }, data: { deletedAt: new Date(), erasedAt: new Date() } })
    const claim = async (perAccount: number) =>
      claimUpload(db, { ...limit, key: next, bytes: MiB, storageLimits: { perAccount, beforePayment: perAccount } })
    await expect(claim(MiB)).rejects.toThrow(/Deleted uploads still count as 64 KiB/)
    expect(await claim(MiB + 64 * 1024)).toMatchObject({ status: 'claimed' })
  })

  it('stores less for an account that its owner opened, until its billing is active', async () => {
    const accountId = await createAccount(db, 'unpaid')
    const { id: ownerId } = await db.user.create({
      data: { id: newId('usr'), name: '', email: `${accountId}@example.com` },
    })
    await db.account.update({ where: { id: accountId }, data: { ownerId } })
    const claim = async () => claimUpload(db, { key: await newUpload(accountId), bytes: 5 * MiB, ...limit })
    await expect(claim()).rejects.toThrow(/With active billing/)
    await db.account.update({ where: { id: accountId }, data: { billingStatus: 'active' } })
    expect(await claim()).toMatchObject({ status: 'claimed' })
  })

  it('that counts all its bytes from the beginning is not made beside another one that leaves no room', async () => {
    const accountId = await createAccount(db, 'together')
    const make = (id: string) => {
      const file = { objectKey: `uploads/${id}/media.mp4`, fileName: 'a.mp4', contentType: 'video/mp4' }
      const upload = { id, accountId, ...file, claimBytes: BigInt(60 * MiB), expiresAt: new Date(Date.now() + 60_000) }
      return createUpload(db, upload, limit.storageLimits)
    }
    const made = await Promise.allSettled(Array.from({ length: 4 }, () => make(newId('upl'))))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'storage_limit_reached' },
    })
  })

  it('waits while the other uploads of its account are as many bytes as may be sent simultaneously', async () => {
    const accountId = await createAccount(db, 'in flight')
    const keys = await Promise.all(Array.from({ length: 12 }, () => newUpload(accountId)))
    const claims = await Promise.all(keys.map((key) => claimUpload(db, { key, bytes: MiB, ...limit })))
    expect(claims.filter(({ status }) => status === 'claimed')).toHaveLength(10)
    expect(claims.filter(({ status }) => status === 'too_many')).toHaveLength(2)
    const other = await newUpload(await createAccount(db, 'another account'))
    expect(await claimUpload(db, { key: other, bytes: 10 * MiB, ...limit })).toMatchObject({ status: 'claimed' })
  })

  it('of a suspended account is not claimed', async () => {
    const accountId = await createAccount(db, 'suspended')
    const key = await newUpload(accountId)
    await suspend({ db, config }, accountId)
    expect(await claimUpload(db, { key, bytes: MiB, ...limit })).toEqual({ status: 'suspended' })
    await resumeAccount(db, accountId)
    const claim = await claimedId(key)
    await suspend({ db, config }, accountId)
    expect(await renewUploadClaim(db, key, claim)).toBe('suspended')
  })

  it('that is deleted while a PUT waits to claim it is not claimed', async () => {
    const accountId = await createAccount(db, 'deleted')
    const key = await newUpload(accountId)
    const claim = await db.$transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const waiting = claimUpload(db, { key, bytes: MiB, ...limit })
      await untilFound(() => isWaitedFor(tx))
      await markUploadsDeleted(tx, Prisma.sql`object_key = ${key}`)
      return { waiting }
    })
    expect(await claim.waiting).toEqual({ status: 'unknown' })
  })

  it('of which there is no row has no claim', async () => {
    expect(await claimUpload(db, { key: 'uploads/none', bytes: 1, ...limit })).toEqual({ status: 'unknown' })
  })
})

/** Whether another transaction waits for what this one has locked. */
async function isWaitedFor(tx: Transaction): Promise<boolean> {
  const waiting = await tx.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`
  return waiting.length > 0
}
