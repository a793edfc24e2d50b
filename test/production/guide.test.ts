import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { searchAttributes, taskQueues } from '../../src/temporal/names.ts'
import { environment } from '../../src/variables.ts'
import { root } from './compose.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const guide = read('docs/production.md')

it('the guide names variables that exist', () => {
  const ofCompose = [...read('docker-compose.yml').matchAll(/\$\{(\w+):/g)].map(([, name]) => name)
  const ofOthers = [
    'COMPOSE_PROFILES',
    'NODE_OPTIONS',
    'NODE_EXTRA_CA_CERTS',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'THIRD_PARTY',
  ]
  const known = [...Object.keys(environment.shape), ...ofCompose, ...ofOthers]
  // Arguments of commands, which are written alike.
  const variables = guide.replaceAll(/`node dist\/[^`]*`/g, '')
  const named = [...variables.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !known.includes(name) && name !== 'TEMPORAL_')).toEqual([])
})

it('the guide names commands that the build compiles', () => {
  const commands = [...guide.matchAll(/node dist\/([\w/-]+)\.js/g)].map(([, name]) => `${name}.ts`)
  expect(commands.length).toBeGreaterThan(3)
  expect(commands.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

it('the guide lists every task queue, and the handbook looks at each', () => {
  const [, list = ''] = /\| task queue \| has \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? []
  expect([...list.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)).toEqual(taskQueues)
  const [, looked = ''] = /^for QUEUE in (.*)$/m.exec(read('docs/operations.md')) ?? []
  expect(looked.split(' ')).toEqual(taskQueues)
})

it('the guide makes every search attribute on Temporal Cloud', () => {
  for (const { name, type } of searchAttributes) {
    expect(guide.toLowerCase()).toContain(`--search-attribute ${name}=${type}`.toLowerCase())
  }
})
