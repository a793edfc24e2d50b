import { migrate } from '../src/db/migrate.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Command } from './main.ts'
import { withDatabase } from './stack/database.ts'

/** Prints a new API key for the development account, and only the key, to standard output. */
export const keyCommand: Command = (context) =>
  withDatabase(context, async (url) => {
    await migrate(url)
    console.log(await newDevelopmentKey(url, 'npm run key'))
    return 0
  })
