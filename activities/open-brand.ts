import { getUsableBrand } from '../src/brands/brands.ts'
import type { OpenBrand, UploadedFile } from '../src/core/brand.ts'
import type { Job } from '../src/jobs/job-rows.ts'
import type { Dependencies } from './dependencies.ts'
import { openUpload } from './source.ts'

interface BrandToOpen {
  readonly job: Pick<Job, 'accountId'>
  readonly brandId: string
  /** Gets copies of the files if the storage is not on this machine. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** The brand of a job, as it is now. Throws `not_found` if it, or one of its uploads, was deleted. */
export async function openBrand(
  deps: Pick<Dependencies, 'db' | 'storage'>,
  { brandId, ...named }: BrandToOpen,
): Promise<OpenBrand> {
  const { look, fontUploadId, logoUploadId } = await getUsableBrand(
    deps.db,
    named.job.accountId,
    brandId,
    'settings.brand',
  )
  const open = async (uploadId: string | null): Promise<UploadedFile | null> =>
    uploadId === null ? null : { uploadId, path: await openUpload(deps, { ...named, uploadId }) }
  return { look, font: await open(fontUploadId), logo: await open(logoUploadId) }
}
