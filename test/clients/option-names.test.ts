import { describe, expect, it } from 'vitest'
import { validateJobRequest } from '../../api/jobs/validate.ts'
import { chainCommands, endpointCommands } from '../../clients/typescript/src/cli/commands.gen.ts'
import { flagOf, namingOptions } from '../../clients/typescript/src/cli/option-names.ts'
import { errorTable, ServiceError } from '../../src/core/errors.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'

const optionsOf = (fields: readonly string[]) => fields.map((field) => ({ long: flagOf(field) }))
const ofEveryWork = ['start', 'end', 'max_price_usd']
const media_url = 'https://media.example/talk.mp4'

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a refusal names the options of the command', () => {
  it.each(Object.entries(endpointCommands))('for each setting of %s', (endpoint, { settings }) => {
    const fields = Object.keys(settings)
    for (const field of fields) {
      const refusal = refusalOf(() => validateJobRequest({ endpoint, media_url, settings: { [field]: null } }))
      expect(namingOptions(refusal, optionsOf(fields))).toMatch(new RegExp(`^${flagOf(field)}\\b(?!.*settings)`))
    }
  })

  it.each(Object.entries(chainCommands))('for each setting of each step of %s', (_, { settings }) => {
    const fields = Object.keys(settings)
    for (const [field, { steps = [] }] of Object.entries(settings))
      for (const step of steps) {
        const refusal = refusalOf(() => parseSettings(liveEndpoint(step), { [field]: null }, ['settings', step]))
        expect(namingOptions(refusal, optionsOf(fields))).toMatch(new RegExp(`^${flagOf(field)}\\b(?!.*settings)`))
      }
  })

  it('for the edges of a window, and for values in JSON', () => {
    const cut = (request: object) =>
      namingOptions(
        refusalOf(() => validateJobRequest({ endpoint: 'video/clip-window', media_url, ...request })),
        optionsOf([...ofEveryWork, 'ranges', 'mode']),
      )
    expect(cut({})).toBe('Send --from, --to or --ranges. For the whole media, send --from 0.')
    expect(cut({ start: 2, end: 1 })).toMatch(/^--from is at or after --to\. Send an end that is later than --from/)
    expect(cut({ start: 'soon' })).toMatch(/^--from: use seconds/)
    expect(cut({ start: 0, settings: { mode: 'copy', aspect: '9:16' } })).toContain('needs --mode exact')
  })

  it('for limits of money and settings of the table of errors', () => {
    const options = optionsOf([...ofEveryWork, 'allow_large_cuts'])
    expect(namingOptions(errorTable.price_limit_reached.message, options)).toBe(
      'This run or job can cost more than --max-price. Raise --max-price, or leave it out.',
    )
    expect(namingOptions(errorTable.cut_too_large.message, options)).toContain('Send --allow-large-cuts if')
  })

  it('for exports, which have their fields in the query', () => {
    const refusal = 'what: moments have no length to cut. Send what=markers.'
    expect(namingOptions(refusal, optionsOf(['what']))).toBe(
      '--what: moments have no length to cut. Send --what markers.',
    )
  })

  it.each([
    ['Try again after 10 seconds, or send media_seconds.', 'Try again after 10 seconds.'],
    ['Send media_seconds, or upload the file.', 'Download it, and give the file.'],
    ['Send media_seconds, or wait for 40 seconds.', 'Wait for 40 seconds.'],
    [
      'Check that it opens without sign-in, or upload the file.',
      'Check that it opens without sign-in, or give the file.',
    ],
    [
      'It can cost 0.012 USD, more than the 1 USD that are left.',
      'It can cost $0.012, more than the $1 that are left.',
    ],
  ])('and says %s as a person does', (message, said) => {
    expect(namingOptions(message, [])).toBe(said)
  })

  it('and leaves what the command has no option for', () => {
    const inJson = 'settings["audio/detect-silence"].threshold: must be at most 1.'
    expect(namingOptions(inJson, optionsOf(['max_price_usd']))).toBe(inJson)
    const past = 'settings.ranges[0].end 99 is past the end of the media (60.000 s).'
    expect(namingOptions(past, optionsOf(ofEveryWork))).toBe(past)
  })
})
