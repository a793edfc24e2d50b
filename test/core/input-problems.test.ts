import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssues, describePath } from '../../src/core/input-problems.ts'

const described = (schema: z.ZodType, given: unknown) =>
  describeIssues(
    z.object({ field: schema }).safeParse({ field: given }, { reportInput: true }).error?.issues ?? [],
    'body',
  )

it.each([
  ['must have at least 1 character', z.string().min(1), ''],
  ['must have at most 3 characters', z.string().max(3), 'four'],
  ['must have exactly 3 characters', z.string().length(3), 'four'],
  ['must have at least 1 entry', z.array(z.string()).min(1), []],
  ['must have at most 2 entries', z.array(z.string()).max(2), ['a', 'b', 'c']],
  ['must be at least 0.01', z.number().min(0.01), 0],
  ['must be more than 0', z.number().positive(), 0],
  ['must be less than 5', z.number().lt(5), 5],
  ['expected a whole number', z.int(), 1.5],
  ['must be a multiple of 5', z.number().multipleOf(5), 3],
  ['must be at least 2020-01-01T00:00:00.000Z', z.date().min(new Date('2020-01-01')), new Date(0)],
  ['must be an email address', z.email(), 'a'],
  ['must be a URL', z.url(), 'a'],
  ['must be a time such as 2026-01-31T12:00:00Z', z.iso.datetime(), 'today'],
  ['must be a date such as 2026-01-31', z.iso.date(), 'today'],
  ['must be in the documented form', z.string().regex(/^a$/), 'b'],
  ['expected one of keep, remove', z.enum(['keep', 'remove']), 'drop'],
  ['expected one of keep, remove. Did you mean remove?', z.enum(['keep', 'remove']), 'remov'],
  ['expected number, not string. Did you mean -40?', z.number(), '-40dB'],
  // Another unit would be another number.
  ['expected number, not string', z.number(), '1 hour'],
  ['expected number, not string', z.number(), '1:30'],
  ['expected en', z.literal('en'), 'de'],
  ['expected number, not string', z.number(), 'a'],
  ['expected number', z.coerce.number(), 'a'],
  ['expected string or number', z.union([z.string(), z.number()]), true],
  ['must be at most 60', z.union([z.number().max(60), z.object({ before: z.number() })]), 61],
  ['before is required', z.union([z.number(), z.object({ before: z.number() })]), {}],
  ['choose a name', z.string().min(1, 'Choose a name'), ''],
])('says "%s"', (words, schema, given) => {
  expect(described(schema, given)).toBe(`field: ${words}${words.endsWith('?') ? '' : '.'}`)
})

it('says that a missing field is required', () => {
  expect(described(z.string(), undefined)).toBe('field is required.')
})

it('quotes at most 60 characters of a name of the caller', () => {
  expect(describePath(['settings', 'x'.repeat(100_000), '-'.repeat(100_000)])).toBe(
    `settings.${'x'.repeat(60)}["${'-'.repeat(60)}"]`,
  )
})
