import { z } from 'zod'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'

/** Enough for the ids of a caller's own records, and few enough that a page of jobs stays small. */
const maxPairs = 16
const maxKeyLength = 40
const maxValueLength = 500

/** Labels of the caller's own. The service stores and returns them, and lists are filtered by them. */
export const metadata = pairs().meta({
  maxProperties: maxPairs,
  description: `Up to ${maxPairs} texts of your own, such as an episode's id. Lists are filtered by them.`,
})

/** In queries: `metadata[episode]=12`. */
export const metadataFilter = pairs('send metadata[name]=value')
  .meta({ maxProperties: maxPairs })
  .optional()
  .describe('Only those with these pairs: metadata[name]=value.')

function pairs(notAnObject?: string) {
  return z
    .record(z.string().regex(new RegExp(`^[A-Za-z0-9_.-]{1,${maxKeyLength}}$`)), z.string().max(maxValueLength), {
      error: ({ code }) => {
        if (code === 'invalid_key') return `a name has 1 to ${maxKeyLength} of the characters A-Z a-z 0-9 _ . -`
        return code === 'invalid_type' ? notAnObject : undefined
      },
    })
    .refine((given) => Object.keys(given).length <= maxPairs, `at most ${maxPairs} pairs`)
    .refine((given) => isPostgresText(JSON.stringify(given)), notPostgresText)
}
