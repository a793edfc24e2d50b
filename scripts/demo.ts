import path from 'node:path'
import { createClient } from './client.ts'
import { runDemo } from './demo/run-demo.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Command } from './main.ts'
import { withStack } from './stack/stack.ts'

/** Starts the stack, runs the main jobs on real recordings, and stops the stack. */
export const demoCommand: Command = (context) =>
  withStack(context, async ({ apiUrl, databaseUrl }) => {
    const fixture = (name: string) => path.join(context.root, 'test', 'fixtures', name)
    await runDemo({
      client: createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run demo')),
      speechPath: fixture('speech.wav'),
      filmPath: fixture('film.mp4'),
      outputDir: path.join(context.dataDir, 'demo'),
      print: (line) => console.log(line),
    })
    return 0
  })
