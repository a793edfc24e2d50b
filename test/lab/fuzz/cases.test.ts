import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tools } from '../../../api/mcp/tool-list.ts'
import { casesOf, fuzzCase } from '../../../lab/fuzz/cases.ts'
import { startCanary } from '../../../lab/hostile/media-host.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')
const numbers = Array.from({ length: 300 }, (_, index) => index)

test('a seed and a number name the same case in every run', () => {
  const [first, second] = [casesOf(root, 7), casesOf(root, 7)]
  expect(numbers.slice(0, 50).map(first)).toEqual(numbers.slice(0, 50).map(second))
  expect(casesOf(root, 8)(1)).not.toEqual(first(1))
})

test('a stored case is the case that ran', () => {
  for (const one of numbers.map(casesOf(root, 1))) {
    expect(fuzzCase.parse(JSON.parse(JSON.stringify(one)))).toEqual(JSON.parse(JSON.stringify(one)))
  }
})

test('the cases reach every accepted format, every operation and every tool', () => {
  const cases = Array.from({ length: 1500 }, (_, number) => number).map(casesOf(root, 1))
  const text = JSON.stringify(cases)
  for (const format of [
    'film.mp4',
    'film.mov',
    'film.m4v',
    'film.webm',
    'sound.m4a',
    'sound.mp3',
    'sound.wav',
    'sound.aac',
    'sound.ogg',
  ]) {
    expect(text).toContain(format)
  }
  for (const { name } of tools) expect(text).toContain(`"svc.${name}\\"`)
  expect(text).toContain('/v1/workflows/')
})

test('the canary sees a request and a read, once each', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'canary-'))
  const canary = await startCanary(folder)
  onTestFinished(() => {
    canary.close()
    rmSync(folder, { recursive: true })
  })
  expect(canary.takeHits()).toEqual([])
  await (await fetch(canary.url)).arrayBuffer()
  expect(canary.takeHits()).toEqual(['GET /canary.mp4 asked the canary'])
  readFileSync(canary.file)
  // A file system without times of reads cannot show them.
  expect([[], ['the canary file was read']]).toContainEqual(canary.takeHits())
  expect(canary.takeHits()).toEqual([])
})
