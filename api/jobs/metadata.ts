import { z } from 'zod'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'

/** Enough for the ids of a caller's own records, and few enough that a page of jobs stays small. */
const maxPairs = 16
const maxKeyLength = 40
const maxValueLength = 500

/** Labels of the caller's own. The service stores and returns them, and lists are filtered by them. */
export const metadata = z
  .record(z.string().regex(new RegExp(`^[A-Za-z0-9_.-]{1,${maxKeyLength}}$`)), z.string().max(maxValueLength), {
    error: ({ code }) =>
      code === 'invalid_key' ? `a name has 1 to ${maxKeyLength} of the characters A-Z a-z 0-9 _ . -` : undefined,
  })
  .refine((pairs) => Object.keys(pairs).length <= maxPairs, `at most ${maxPairs} pairs`)
  .refine((pairs) => isPostgresText(JSON.stringify(pairs)), notPostgresText)
  .meta({
    maxProperties: maxPairs,
    description: `Up to ${maxPairs} texts of your own, such as an episode's id. Lists are filtered by them.`,
  })

/** In queries: `metadata[episode]=12`. */
export const metadataFilter = metadata.optional().describe('Only those with these pairs: metadata[name]=value.')
