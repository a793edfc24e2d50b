import { getUsableBrand } from '../src/brands/brands.ts'
import type { OpenBrand, UploadedFile } from '../src/core/brand.ts'
import type { Job } from '../src/jobs/job-rows.ts'
import type { Upload } from '../src/uploads/uploads.ts'
import type { Dependencies } from './dependencies.ts'
import { type CopyTarget, copyUpload } from './source.ts'

interface BrandToOpen extends CopyTarget {
  readonly job: Pick<Job, 'accountId'>
  readonly brandId: string
}

/** The brand of a job, as it is now. Throws `not_found` if it, or one of its uploads, was deleted. */
export async function openBrand(
  deps: Pick<Dependencies, 'db' | 'storage'>,
  { job, brandId, ...target }: BrandToOpen,
): Promise<OpenBrand> {
  const { name, look, font, logo } = await getUsableBrand(deps.db, job.accountId, brandId, 'settings.brand')
  const open = async (upload: Upload | null): Promise<UploadedFile | null> =>
    upload && { uploadId: upload.id, path: await copyUpload(deps, upload, target) }
  return { id: brandId, name, look, font: await open(font), logo: await open(logo) }
}
