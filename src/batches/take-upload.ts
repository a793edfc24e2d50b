import { fontTypes, pictureTypes } from '../core/media.ts'
import { Prisma } from '../db/generated/client.ts'

/**
 * Adds an upload to each directive that takes it, once, for the WITH of the statement that records its arrival. `received` is a table
 * with its id if it arrived in this statement, and `directives` then has the ids of those.
 */
export function takeUploadSql(): Prisma.Sql {
  return Prisma.sql`
    directives AS (
      INSERT INTO batch_items (batch_id, upload_id)
      SELECT batches.id, uploads.id FROM received JOIN uploads USING (id)
        JOIN batches USING (account_id) JOIN api_keys ON api_keys.id = batches.id
      WHERE is_on AND revoked_at IS NULL AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())
        -- A picture or a font is no media.
        AND content_type <> ALL(${otherTypes}::text[])
        AND normalize(file_name) ILIKE normalize(${likePattern}) AND coalesce(uploads.metadata, '{}') @> taken
      -- One that is being deleted takes nothing, and fails no upload.
      FOR KEY SHARE OF batches
      ON CONFLICT DO NOTHING RETURNING batch_id
    )`
}

const otherTypes = [...Object.values(pictureTypes), ...Object.values(fontTypes)]

/** `*` and `?` stand for any characters and for one. File systems differ in how they write ü: hence normalize. */
const likePattern = Prisma.sql`translate(regexp_replace(file_names, '([\\\\%_])', '\\\\\\1', 'g'), '*?', '%_')`
