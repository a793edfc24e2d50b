import { cutIntoChunks } from '../../src/endpoints/audio-semantic-chunks/topic-chunks.ts'
import { gapSimilarities } from '../../src/media/speech/topic-gaps.ts'
import type { Models } from '../../src/models/models.ts'
import { topicTexts } from './topic-texts.ts'

export interface TopicFigures {
  /** Texts of three topics each. */
  readonly texts: number
  /** Of the boundaries found within one sentence of a true one. */
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Texts of one topic, and how many of them were cut. */
  readonly singleTexts: number
  readonly singleTextsCut: number
  readonly millisecondsPerSentence: number
}

/** How long each sentence of a text takes to say, and the pause after it. */
const sentenceSeconds = 3.6
const pauseSeconds = 0.4
/** As the endpoint's settings have by default. */
const lengths = { targetSeconds: undefined, minSeconds: 10 }

/** Finds the boundaries in texts of three topics, joined at random but always the same, and in each topic alone. */
export async function measureTopics(models: Models, texts: number): Promise<TopicFigures> {
  const topics = Object.values(topicTexts)
  const began = performance.now()
  const vectors = await models.run('embed', topics.flat())
  const millisecondsPerSentence = (performance.now() - began) / vectors.length
  const vectorsOf = new Map(topics.flat().map((sentence, index) => [sentence, vectors[index] ?? new Float32Array()]))

  const cutsOf = async (sentences: readonly string[]) => {
    const similarities = await gapSimilarities(
      sentences.map((sentence) => vectorsOf.get(sentence) ?? new Float32Array()),
    )
    const spans = sentences.map((_, index) => {
      const start = index * (sentenceSeconds + pauseSeconds)
      return { start, end: start + sentenceSeconds }
    })
    return (await cutIntoChunks(spans, similarities, lengths)).slice(1)
  }
  const counts = { hits: 0, found: 0, wanted: 0 }
  const choose = chooser(1)
  for (let text = 0; text < texts; text += 1) {
    const [a = [], b = [], c = []] = choose(topics)
    const found = await cutsOf([...a, ...b, ...c])
    const wanted = [a.length, a.length + b.length]
    counts.hits += wanted.filter((at) => found.some((cut) => Math.abs(cut - at) <= 1)).length
    counts.found += found.length
    counts.wanted += wanted.length
  }
  const cutsOfTopics = await Promise.all(topics.map(cutsOf))
  const [precision, recall] = [counts.hits / counts.found, counts.hits / counts.wanted]
  return {
    texts,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    singleTexts: topics.length,
    singleTextsCut: cutsOfTopics.filter((cuts) => cuts.length > 0).length,
    millisecondsPerSentence,
  }
}

/** Returns the items in another order at each call. The calls return the same for the same seed. */
function chooser(seed: number): <Item>(items: readonly Item[]) => Item[] {
  let state = seed
  /** The generator of `minstd_rand`. */
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  return (items) =>
    items
      .map((item) => ({ item, at: next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item)
}
