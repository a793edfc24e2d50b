import { z } from 'zod'
import type { ObjectInfo } from '../storage.ts'

/** An object resource of the JSON API. */
export const objectResource = z.object({
  name: z.string(),
  size: z.coerce.number(),
  generation: z.coerce.string(),
  contentType: z.string().default('application/octet-stream'),
  /** In base64; missing on composite objects. */
  md5Hash: z.string().optional(),
})
export type ObjectResource = z.output<typeof objectResource>

/** The ETag equals that of signed URLs: the MD5 in hex. */
export function infoOfResource({ name, size, generation, contentType, md5Hash }: ObjectResource): ObjectInfo {
  const etag = md5Hash === undefined ? generation : Buffer.from(md5Hash, 'base64').toString('hex')
  return { key: name, bytes: size, generation, contentType, etag }
}
