import { cutIntoChunks, usualLengths } from '../../src/endpoints/audio-semantic-chunks/topic-chunks.ts'
import { gapSimilarities } from '../../src/media/speech/topic-gaps.ts'
import type { Models } from '../../src/models/models.ts'
import { describeFigures } from '../figures.ts'
import { type FinderTools, randomNumbers } from './finder-tools.ts'

/** Short plain texts, one a topic, written for this measurement. */
const texts: Readonly<Record<string, string>> = {
  bread: `First we mix the flour with warm water and a little yeast. The dough should rest under a towel for about an hour.
Then you knead it on the table until it feels smooth. A pinch of salt makes the loaf taste much better. We bake it
in a very hot oven for forty minutes. The crust is done when it sounds hollow. Let the bread cool before you cut the
first slice.`,
  storm: `A strong wind is coming in from the sea tonight. Forecasters expect heavy rain along the whole coast. The
temperature will drop by ten degrees before the morning. There may be thunder and lightning over the hills. Snow is
possible on the higher mountains. By the weekend the clouds should clear and the sun comes out.`,
  football: `The home team scored early in the first half. Their goalkeeper saved two penalties in a row. The referee showed a
red card after a bad tackle. Fans were singing in the stadium until the end. The striker has now scored in five
games. With this win the club moves to the top of the league. The coach said that the defence had played very well.`,
  garden: `Plant the tomatoes when the nights are no longer cold. The roots need loose soil and plenty of compost. Water the
beds in the evening and not in the heat of noon. Pull out the weeds before they make seeds. Slugs love young
lettuce, so look under the leaves. In autumn we prune the roses and rake the fallen leaves.`,
  rocket: `The rocket left the launch pad right on time. After eight minutes the satellite reached its orbit. Engineers are
checking the solar panels from the ground. The spacecraft will travel for seven months to reach Mars. Astronauts on
the station watched the burn of the second stage. A small leak of fuel had delayed the first attempt. Next year the
agency wants to land a probe on the Moon.`,
  bank: `Interest rates went up again this quarter. Many families pay more for their mortgage now. The central bank wants to
bring inflation down. Share prices fell after the announcement. Savers get a little more on their accounts.
Economists expect that the loans will become cheaper next year. Investors are moving their money into bonds.`,
  doctor: `The patient came in with a fever and a sore throat. We listened to the lungs and took a blood sample. The nurse gave
her a small dose of the medicine. An infection like this often heals within a week. The hospital asks everyone to
wash their hands. A vaccine protects older people against the flu.`,
  guitar: `Tune the lowest string before you play the first chord. The melody begins on the second beat of the bar. She learned
the song by listening to the old record. The drummer keeps the rhythm while the bass follows. For the chorus, the
singer goes up one octave. The band will record the new album in spring. Practice the scale slowly with a metronome.`,
  computer: `The program crashed because a variable was never set. We wrote a test that shows the bug every time. The server
keeps its data in a small database. Every change of the code is reviewed by another developer. After the update the
web page loads twice as fast. Please keep your password secret and make a backup.`,
  history: `The old king ruled the country for thirty years. His army lost the war against the northern empire. Peasants had to
give a part of the harvest to the castle. The treaty was signed in the capital by both queens. A century later the
monarchy was replaced by a republic. Historians found the letters of the emperor in a monastery. The ruins of the
fortress still stand above the village.`,
  whale: `Blue whales are the largest animals in the ocean. They dive deep and come up to breathe. A calf stays close to its
mother for a year. The herd swims thousands of miles to warmer water. Dolphins and seals hunt fish near the surface.
Biologists follow the animals by their songs under water.`,
  train: `The train to the city leaves from platform four. Passengers should buy their tickets before they get on. A broken
signal has stopped all traffic on the line. The conductor announced a delay of twenty minutes. Buses will take the
travellers to the next station. The new railway bridge opens at the end of the year.`,
  school: `The children have a mathematics exam on Monday. Our teacher explains fractions with pieces of cake. Homework is due
before the end of the lesson. Every pupil reads a page of the book aloud. The class visits the museum once in a
term. Students who fail the course can repeat the exam.`,
}

/** A sentence is an entry. */
const topics = Object.values(texts).map((text) =>
  (text.replaceAll('\n', ' ').match(/[^.?!]+[.?!]/g) ?? []).map((sentence) => sentence.trim()),
)

/** How long each sentence of a text takes to say, and the pause after it. */
const sentenceSeconds = 3.6
const pauseSeconds = 0.4
/** Of the endpoint's settings, by default. */
const minSeconds = 10

/** `finders topics`: boundaries in joined texts. */
export async function measureTopics({ models }: FinderTools): Promise<string> {
  const count = 20
  const { precision, recall, f1, cutTopics } = await findTopics(models, count)
  const figures = [
    { name: 'F1 of boundaries', value: f1, goal: 0.85, unit: '', isFloor: true as const },
    { name: 'texts of one topic that were cut', value: cutTopics, goal: 0, unit: '' },
  ]
  return `## Topics

${count} texts of three topics each, joined at random from ${topics.length} short ones that were written for this. A boundary counts as found
if it is within one sentence. Precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}.

${describeFigures(figures)}
`
}

/** Finds the boundaries in texts of three topics, joined at random but always the same, and in each topic alone. */
export async function findTopics(models: Models, count: number) {
  const vectors = await models.run('embed', topics.flat())
  const vectorsOf = new Map(topics.flat().map((sentence, index) => [sentence, vectors[index] ?? new Float32Array()]))

  const cutsOf = async (sentences: readonly string[]) => {
    const similarities = await gapSimilarities(
      sentences.map((sentence) => vectorsOf.get(sentence) ?? new Float32Array()),
    )
    const spans = sentences.map((_, index) => {
      const start = index * (sentenceSeconds + pauseSeconds)
      return { start, end: start + sentenceSeconds }
    })
    const lengths = usualLengths(spans.at(-1)?.end ?? 0)
    return (await cutIntoChunks(spans, similarities, { targetSeconds: undefined, minSeconds, ...lengths })).slice(1)
  }
  const counts = { hits: 0, found: 0, wanted: 0 }
  const choose = chooser(1)
  for (let text = 0; text < count; text += 1) {
    const [a = [], b = [], c = []] = choose(topics)
    const found = await cutsOf([...a, ...b, ...c])
    const wanted = [a.length, a.length + b.length]
    counts.hits += wanted.filter((at) => found.some((cut) => Math.abs(cut - at) <= 1)).length
    counts.found += found.length
    counts.wanted += wanted.length
  }
  const cutsOfTopics = await Promise.all(topics.map(cutsOf))
  const [precision, recall] = [counts.hits / counts.found, counts.hits / counts.wanted]
  const cutTopics = cutsOfTopics.filter((cuts) => cuts.length > 0).length
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall), cutTopics }
}

/** Returns the items in another order at each call. The calls return the same for the same seed. */
function chooser(seed: number): <Item>(items: readonly Item[]) => Item[] {
  const next = randomNumbers(seed)
  return (items) =>
    items
      .map((item) => ({ item, at: next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item)
}
