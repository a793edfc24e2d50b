import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { environment } from '../src/variables.ts'

const example = parseEnv(readFileSync(new URL('../.env.example', import.meta.url), 'utf8'))

it('.env.example names exactly the variables that the service reads', () => {
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(environment.shape).toSorted())
})

it('.env.example shows the defaults', () => {
  const database = { DATABASE_URL: 'postgresql://127.0.0.1/any' }
  expect(readConfig({ ...example, ...database })).toEqual(readConfig(database))
})

it('.env.example leaves no default blank', () => {
  const withDefault = Object.entries(environment.shape)
    .filter(([, schema]) => schema.safeParse(undefined).data !== undefined)
    .map(([name]) => name)
  const blank = Object.keys(example).filter((name) => example[name] === '')
  expect(withDefault.filter((name) => blank.includes(name))).toEqual(['MEDIA_ALLOW_HOSTS', 'WEBHOOK_ALLOW_HOSTS'])
})
