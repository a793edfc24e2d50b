import { expect, it } from 'vitest'
import { parseExit } from '../../../src/media/tools/launcher.ts'
import { survivesMangling } from '../../mangled-bytes.ts'

it('the end of a tool is a success only if the launcher says so, however its line is mangled', async () => {
  const parse = (line: string) => parseExit(line.split(' ').slice(2))
  expect(parse('exit 7 0 0 120 9000')).toMatchObject({ code: 0, signal: null, cpuMs: 120, maxRssBytes: 9_000 * 1024 })
  expect(parse('exit 7 0 9 120 9000 memory')).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'memory' })
  await survivesMangling({
    samples: ['exit 7 3 0 120 9000', 'exit 7 0 9 120 9000 memory'].map((line) => Buffer.from(line)),
    parse: (_, whole) => {
      const line = whole.toString('latin1')
      if (parse(line).code === 0) expect(line.split(' ')[2]).toMatch(/^-?0/)
    },
    isDeclared: () => false,
  })
})
