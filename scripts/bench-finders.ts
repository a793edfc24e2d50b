import path from 'node:path'
import { describeMachine } from '../bench/machine.ts'
import { writePart } from '../bench/results-page.ts'
import { benchTextFrames } from './finders/text-frames.ts'
import { benchTopics } from './finders/topics.ts'
import type { Command } from './main.ts'

/** The sections of the page, each with the function that measures and describes it. */
const finders = { topics: benchTopics, 'text-frames': benchTextFrames } as const

/** Measures what the finders find and how long they take, all of them or those named, and writes bench/RESULTS.md. */
export const benchFindersCommand: Command = async (context) => {
  const { ffmpegPath } = await context.findTools()
  for (const name of ['topics', 'text-frames'] as const) {
    if (context.args.length > 0 && !context.args.includes(name)) continue
    const text = await finders[name](context, describeMachine(ffmpegPath))
    writePart(path.join(context.root, 'bench', 'RESULTS.md'), name, text)
    console.log(text)
  }
  return 0
}
