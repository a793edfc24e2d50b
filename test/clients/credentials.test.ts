import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect, keepCredentials, urlOf } from '../../clients/typescript/src/cli/credentials.ts'
import { MediaTimeline } from '../../clients/typescript/src/index.ts'

it('a login is that of its address with or without a slash at the end, and empty variables do not hide it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'credentials-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  vi.stubEnv('MEDIA_TIMELINE_URL', '')
  vi.stubEnv('MEDIA_TIMELINE_API_KEY', '')
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })
  await keepCredentials({ url: 'https://service.example/', apiKey: 'mt_live_1' })
  expect(await urlOf(undefined)).toBe('https://service.example')
  await expect(connect(undefined)).resolves.toBeInstanceOf(MediaTimeline)
  await expect(connect('https://service.example')).resolves.toBeInstanceOf(MediaTimeline)
  await expect(connect('https://other.example')).rejects.toThrow(
    /^You are not logged in at https:\/\/other\.example\. .*--api-key-stdin/,
  )
  expect(new MediaTimeline({ apiKey: 'mt_live_1' })).toBeInstanceOf(MediaTimeline)
})
