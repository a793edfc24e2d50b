import { expect, it } from 'vitest'
import { addAccountCommands } from '../../clients/typescript/src/cli/account-commands.ts'
import { addListCommands } from '../../clients/typescript/src/cli/list-commands.ts'
import { runCommand, serveCommands } from './commands.ts'

const job = (number: number) => ({
  id: `job_${number}`,
  status: 'completed',
  endpoint: 'audio/detect-silence',
  ...ofMedia,
})
const ofMedia = { created_at: '2026-11-01T09:30:05Z', media: { name: 'talk.wav' } }

it.each([
  [3, ''],
  [4, 'There are older jobs. --limit 15 shows more.\n'],
])('a list of three of %i jobs says whether there are more', async (count, note) => {
  await serveCommands(() => [200, { jobs: Array.from({ length: count }, (_, index) => job(index)) }])
  const { lines, notes } = await runCommand(addListCommands, ['jobs', '--limit', '3'])
  expect(lines.split('\n')).toHaveLength(4)
  expect(lines).toMatch(/^job_0\tcompleted\taudio\/detect-silence\t.*\t2026-1[01]-[03][12] \d\d:\d\d\ttalk\.wav$/m)
  expect(notes).toBe(note)
})

it('usage names the key of each row', async () => {
  const counts = { jobs_completed: 1, amount_usd: 0.01 }
  const row = { day: '2026-11-01', endpoint: 'audio/find-words', ...counts }
  const keys = [
    { key_id: 'key_1', key_name: 'laptop' },
    ...['key_2', 'key_3'].map((key_id) => ({ key_id, key_name: 'studio' })),
    { key_id: 'bat_1' },
    { key_id: null },
  ]
  await serveCommands(() => [200, { usage: keys.map((key) => ({ ...row, ...key })), total: counts }])
  const { lines } = await runCommand(addAccountCommands, ['usage'])
  const named = lines.split('\n').map((line) => line.split('\t')[2])
  expect(named).toEqual(['laptop', 'studio (key_2)', 'studio (key_3)', 'bat_1', 'dashboard', '', '', undefined])
})

it('usage has the total of each day with several rows', async () => {
  const row = { endpoint: 'audio/find-words', key_name: 'laptop', jobs_completed: 1, amount_usd: 0.01 }
  const usage = ['2026-11-01', '2026-11-01', '2026-11-02'].map((day) => ({ ...row, day }))
  await serveCommands(() => [200, { usage, total: { jobs_completed: 3, amount_usd: 0.03 } }])
  const { lines } = await runCommand(addAccountCommands, ['usage'])
  const totals = lines.split('\n').filter((line) => line.includes('total'))
  expect(totals).toEqual(['2026-11-01\ttotal\t\t2 jobs\t$0.0200', 'total\t\t\t3 jobs\t$0.0300'])
})
