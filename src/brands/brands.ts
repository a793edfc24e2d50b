import { assertMayCreate } from '../accounts/suspension.ts'
import { type BrandLook, brandLook } from '../core/brand.ts'
import { ServiceError } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import type { BrandModel } from '../db/generated/models.ts'
import { findUpload, keepUploads, releaseUploads, type Upload } from '../uploads/uploads.ts'

/** What a caller decides of a brand. */
export interface BrandContents extends Pick<BrandModel, 'name' | 'fontUploadId' | 'logoUploadId'> {
  readonly look: BrandLook
}

export type Brand = Omit<BrandModel, 'look'> & BrandContents

/** The maximum number of brands of an account. */
export const maxBrands = 20

/** Its uploads do not expire from now on. Throws `conflict` if the account has as many brands as it may, or an upload is gone. */
export async function createBrand(db: Database, accountId: string, contents: BrandContents): Promise<Brand> {
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    if ((await tx.brand.count({ where: { accountId } })) >= maxBrands)
      throw new ServiceError('conflict', `An account has at most ${maxBrands} brands. Delete one first.`)
    await keepFiles(tx, accountId, filesOf(contents))
    return brandOf(await tx.brand.create({ data: { id: newId('brd'), accountId, ...contents } }))
  })
}

/** Newest first. */
export async function listBrands(db: Database, accountId: string): Promise<Brand[]> {
  const rows = await db.brand.findMany({ where: { accountId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
  return rows.map(brandOf)
}

/** Throws `not_found` if the account has none with this id. `place` is where the request names it. */
export async function getBrand(
  db: Database | Transaction,
  accountId: string,
  id: string,
  place?: string,
): Promise<Brand> {
  // PostgreSQL refuses some texts.
  const row = isId('brd', id) ? await db.brand.findFirst({ where: { id, accountId } }) : null
  if (row) return brandOf(row)
  const prefix = place === undefined ? 'This' : `${place}: this`
  throw new ServiceError('not_found', `${prefix} account has no brand with this id. Check the id.`)
}

interface BrandToChange {
  readonly accountId: string
  readonly id: string
  /** How long uploads are kept that it has no longer, as from their creation. */
  readonly keptDays: number
}

/** `change` returns all of the brand's new contents. */
export async function changeBrand(
  db: Database,
  { accountId, id, keptDays }: BrandToChange,
  change: (brand: Brand) => BrandContents,
): Promise<Brand> {
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    const brand = await getBrand(tx, accountId, id)
    const contents = change(brand)
    const [before, after] = [filesOf(brand), filesOf(contents)]
    await keepFiles(
      tx,
      accountId,
      after.filter((file) => !before.includes(file)),
    )
    const changed = brandOf(await tx.brand.update({ where: { id }, data: contents }))
    await releaseUnused(tx, { accountId, keptDays }, before)
    return changed
  })
}

/** Throws `not_found` if the account has none with this id. */
export async function deleteBrand(db: Database, { accountId, id, keptDays }: BrandToChange): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const brand = await getBrand(tx, accountId, id)
    await tx.brand.delete({ where: { id } })
    await releaseUnused(tx, { accountId, keptDays }, filesOf(brand))
  })
}

function filesOf({ fontUploadId, logoUploadId }: Pick<BrandContents, 'fontUploadId' | 'logoUploadId'>): string[] {
  return [fontUploadId, logoUploadId].filter((id) => id !== null)
}

async function keepFiles(tx: Transaction, accountId: string, uploadIds: readonly string[]): Promise<void> {
  if (await keepUploads(tx, accountId, uploadIds)) return
  throw new ServiceError('conflict', 'An upload of the brand was deleted, or has expired. Upload the file again.')
}

/** Of several brands with one font, the last one releases it. */
async function releaseUnused(
  tx: Transaction,
  { accountId, keptDays }: Pick<BrandToChange, 'accountId' | 'keptDays'>,
  uploadIds: readonly string[],
): Promise<void> {
  const used = (await tx.brand.findMany({ where: { accountId } })).flatMap(filesOf)
  await releaseUploads(
    tx,
    uploadIds.filter((id) => !used.includes(id)),
    keptDays,
  )
}

function brandOf({ look, ...row }: BrandModel): Brand {
  return { ...row, look: brandLook.parse(look) }
}

/** A brand whose uploads are there. */
export interface UsableBrand extends Pick<Brand, 'name' | 'look'> {
  readonly font: Upload | null
  readonly logo: Upload | null
}

/** Throws `not_found` for a brand of another account, and where one of its uploads was deleted. */
export async function getUsableBrand(db: Database, accountId: string, id: string, place: string): Promise<UsableBrand> {
  const { name, look, fontUploadId, logoUploadId } = await getBrand(db, accountId, id, place)
  const find = async (file: 'font' | 'logo', uploadId: string | null) => {
    if (uploadId === null) return null
    const upload = await findUpload(db, accountId, uploadId)
    if (upload) return upload
    throw new ServiceError(
      'not_found',
      `${place}: the ${file} of the brand, ${uploadId}, was deleted. Give the brand another one, or null.`,
    )
  }
  return { name, look, font: await find('font', fontUploadId), logo: await find('logo', logoUploadId) }
}
