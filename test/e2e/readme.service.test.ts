import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runDemo } from '../../scripts/demo/run-demo.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const readme = readFileSync('README.md', 'utf8')
let service: SharedService

beforeAll(async () => {
  service = await useSharedService()
})

it('docs/accounts.md goes from sign-up to a key as written', () => {
  const [, script] = /<!-- sign-up -->\n```sh\n([\s\S]*?)```/.exec(readFileSync('docs/accounts.md', 'utf8')) ?? []
  const run = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script ?? 'exit 64'], {
    env: { ...process.env, BASE: service.baseUrl, DATA_DIR: service.dataDir },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toContain('mt_live_')
  expect(run.stdout).toContain('"credits_left_usd":5')
})

it('docs/accounts.md says that no mail came, and does not wait for ever', () => {
  const [, script = ''] = /<!-- sign-up -->\n```sh\n([\s\S]*?)```/.exec(readFileSync('docs/accounts.md', 'utf8')) ?? []
  const run = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script.replace('seq 300', 'seq 3')], {
    env: { ...process.env, BASE: service.baseUrl, DATA_DIR: '/nowhere' },
    encoding: 'utf8',
    timeout: 10_000,
  })
  expect(run.status).toBeGreaterThan(0)
  expect(run.stderr).toMatch(/LINK: no mail with a verify-email link came in 30 seconds\n$/)
})

it('docs/deletion.md deletes all media of an account as written, and keeps the account', async () => {
  const { token, client } = await service.newAccount()
  const media_url = await client.upload('test/fixtures/speech.wav')
  await client.send('POST', '/v1/workflows/remove-dead-space/runs?wait=60', { mode: 'run_all', media_url, end: 6 })
  await client.send('POST', '/v1/jobs', { endpoint: 'audio/detect-silence', media_url })
  const [, script] = /<!-- delete-all -->\n```sh\n([\s\S]*?)```/.exec(readFileSync('docs/deletion.md', 'utf8')) ?? []
  const run = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script ?? 'exit 64'], {
    env: { ...process.env, BASE: service.baseUrl, KEY: token },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const lists = ['workflow-runs', 'jobs', 'uploads'].map((list) => client.send('GET', `/v1/${list}`))
  expect((await Promise.all(lists)).map(({ body }) => body)).toEqual([
    expect.objectContaining({ runs: [] }),
    expect.objectContaining({ jobs: [] }),
    expect.objectContaining({ uploads: [] }),
  ])
})

describe('README.md', () => {
  it.each([
    ['its quick start goes from upload to result', ['quickstart'], [/start: \d/]],
    ['its clip is as long as it says', ['quickstart', 'clip'], [/^3\.3$/m]],
    [
      'its run sets pauses, loudness and captions',
      ['quickstart', 'run'],
      [/cuts: [1-9]/, /integrated_lufs: -1[56]/, /-tight-pauses\.wav'.*\.vtt'.*\.srt'/s],
    ],
    ['its chapters are those of the file of its run', ['quickstart', 'run', 'chapters'], [/^0:00 \w/m]],
    ['its command searches and cuts', ['quickstart', 'command'], [/^\d:\S+\t\d:\S+$/m, /out\.wav$/m]],
  ])('%s as written', async (_what, blocks, results) => {
    const { token } = await createKey(service.db, { accountId: service.accountId, name: 'readme' })
    const run = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', blocks.map(scriptOf).join('')], {
      env: {
        ...process.env,
        BASE: service.baseUrl,
        KEY: token,
        OUT: path.join(service.dataDir, `${blocks.at(-1)}-out.wav`),
      },
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect({ ...run, stderr: run.stderr.replaceAll(/^\w+ (has begun|cost \S+)\.\n/gm, '') }).toMatchObject({
      status: 0,
      stderr: '',
    })
    for (const result of results) expect(run.stdout).toMatch(result)
  })

  it('shows what the demo prints', async () => {
    const { client } = await service.newAccount()
    const printed: string[] = []
    const fixture = (name: string) => path.resolve('test/fixtures', name)
    await runDemo({
      ...{ client, speechPath: fixture('speech.wav'), filmPath: fixture('film.mp4') },
      outputDir: path.join(service.dataDir, 'demo'),
      print: (line) => printed.push(line),
    })
    const [, shown = ''] = /<!-- demo -->\n```text\n([\s\S]*?)\n```/.exec(readme) ?? []
    const demoDir = path.relative(process.cwd(), path.join(service.dataDir, 'demo'))
    expect(everyRun(printed.join('\n').replaceAll(demoDir, '.data/demo'))).toBe(everyRun(shown))
    expect(await readdir(path.join(service.dataDir, 'demo'))).toHaveLength(6)
  })
})

function scriptOf(name: string): string {
  return new RegExp(`<!-- ${name} -->\n\`\`\`(?:ba)?sh\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? 'exit 64'
}

/** Without times and ids, which differ from run to run. */
function everyRun(text: string): string {
  return text.replaceAll(/ +\d+ ms {3}job_\w+/g, ' … ms   job_…')
}
