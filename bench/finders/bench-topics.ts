import type { Context } from '../../scripts/main.ts'
import { withFinderTools } from './finder-tools.ts'
import { measureTopics, type TopicFigures } from './topics.ts'

const texts = 20

/** Topics in joined texts. */
export async function benchTopics(context: Context, machine: string): Promise<string> {
  const figures = await withFinderTools(context, 1, ({ models }) => measureTopics(models, texts))
  return describeTopics(figures, machine)
}

function describeTopics(figures: TopicFigures, machine: string): string {
  return `## Topics

Written by \`npm run bench:finders -- topics\`. ${machine}.

${texts} texts of three topics each, joined at random from ${figures.singleTexts} short ones that were written for this. A boundary counts as found
if it is within one sentence. ${figures.singleTextsCut} of the ${figures.singleTexts} texts of one topic were cut.

| precision | recall | F1 (goal: at least 0.85) | a sentence takes |
|---|---|---|---|
| ${figures.precision.toFixed(2)} | ${figures.recall.toFixed(2)} | ${figures.f1.toFixed(2)} | ${figures.millisecondsPerSentence.toFixed(1)} ms |
`
}
