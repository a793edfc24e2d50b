import path from 'node:path'
import { benchAskedAgain } from '../bench/finders/bench-asked-again.ts'
import { benchFrames } from '../bench/finders/bench-frames.ts'
import { benchLaughter } from '../bench/finders/bench-laughter.ts'
import { benchTextFrames } from '../bench/finders/bench-text-frames.ts'
import { benchTopics } from '../bench/finders/bench-topics.ts'
import { benchWords } from '../bench/finders/bench-words.ts'
import { benchWordsSpeed } from '../bench/finders/bench-words-speed.ts'
import { describeMachine } from '../bench/machine.ts'
import { writePart } from '../bench/results-page.ts'
import { assertParts } from './bench-parts.ts'
import type { Command } from './main.ts'

/** The sections of the page, each with the function that measures and describes it. */
const finders = {
  words: benchWords,
  'words-speed': benchWordsSpeed,
  laughter: benchLaughter,
  topics: benchTopics,
  'text-frames': benchTextFrames,
  'best-frames': benchFrames,
  'asked-again': benchAskedAgain,
}
const names = Object.keys(finders).filter((name): name is keyof typeof finders => Object.hasOwn(finders, name))

/** Measures what the finders find and how long they take, all of them or those named, and writes bench/RESULTS.md. */
export const benchFindersCommand: Command = async (context) => {
  assertParts(context, names)
  const { ffmpegPath } = await context.findTools()
  for (const name of names) {
    if (context.args.length > 0 && !context.args.includes(name)) continue
    const text = await finders[name](context, describeMachine(ffmpegPath))
    writePart(path.join(context.root, 'bench', 'RESULTS.md'), name, text)
    console.log(text)
  }
  return 0
}
