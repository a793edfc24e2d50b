import { expect, it, onTestFinished } from 'vitest'
import { createOutput } from '../../clients/typescript/src/cli/output.ts'
import { written } from './commands.ts'

const stop = new DOMException('This operation was aborted', 'AbortError')

it('Ctrl-C says whether something goes on at the service', async () => {
  const output = createOutput(false, [])
  expect(await written('stderr', () => output.failure(stop))).toBe('Stopped. Nothing was run.\n')
  output.begins()
  expect(await written('stderr', () => output.failure(stop))).toMatch(/^Stopped\. What the service has begun goes on/)
  output.begins('run_1')
  expect(await written('stderr', () => output.failure(stop))).toMatch(/^Stopped\. run_1 goes on/)
})

const print = (isJson: boolean, lines: readonly string[]) =>
  written('stdout', () => createOutput(isJson, []).result(lines, () => lines, 'start\tend'))

it('results have columns and a header on a terminal, and only tabs elsewhere', async () => {
  const lines = ['0:01.2\t0:02.5', '1:00:01.2\t1:00:02.5']
  expect(await print(false, lines)).toBe('0:01.2\t0:02.5\n1:00:01.2\t1:00:02.5\n')
  const { isTTY } = process.stdout
  onTestFinished(() => {
    process.stdout.isTTY = isTTY
  })
  process.stdout.isTTY = true
  expect(await print(false, lines)).toBe('START      END\n0:01.2     0:02.5\n1:00:01.2  1:00:02.5\n')
  expect(await print(false, [])).toBe('')
  expect(JSON.parse(await print(true, lines))).toEqual(lines)
})
