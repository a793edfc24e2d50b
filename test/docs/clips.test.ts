import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'

it('the shorts of docs/clips.md are settings of video/clip-near', () => {
  const [, shown = ''] = /`"settings": (\{ "moments": .*\})`/.exec(readFileSync('docs/clips.md', 'utf8')) ?? []
  const given: Record<string, unknown> = JSON.parse(shown.replace('job_…', newId('job')))
  const endpoint = liveEndpoint('video/clip-near')
  const settings = parseSettings(endpoint, given)
  expect(settings).toMatchObject({ moments: [72, '00:04:10'], aspect: '9:16', captions: { as: 'burn' } })
  expect(endpoint.validate?.({ startSeconds: null, endSeconds: null }, settings)).toBeUndefined()
})
