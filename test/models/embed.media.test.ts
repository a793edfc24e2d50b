import { describe, expect, it } from 'vitest'
import { findTopics } from '../../lab/finders/topics.ts'
import { modelInterfaces } from '../../src/models/models.ts'
import { models, whySkipped } from '../setup/models.ts'

describe.skipIf(!models.has('embed'))(`embeddings of sentences${whySkipped}`, () => {
  const embed = async (...sentences: string[]) =>
    modelInterfaces.embed.output.parse(await models.run('embed', sentences))
  const likeness = (a?: Float32Array, b?: Float32Array) =>
    a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0)

  it('are those of the published model', async () => {
    // The model card compares these three; PyTorch gives the same products to four digits.
    const [person, dog, weather] = await embed('That is a happy person', 'That is a happy dog', 'Today is a sunny day')
    expect(likeness(person, dog)).toBeCloseTo(0.6946, 3)
    expect(likeness(person, weather)).toBeCloseTo(0.2569, 3)
    expect(likeness(person, person)).toBeCloseTo(1, 5)
  })

  it('exist for empty, long and foreign texts, and none for no text', async () => {
    const texts = ['', 'word '.repeat(5_000), '日本語 😀 \u0000', 'ß'.repeat(300)]
    for (const vector of await embed(...texts)) {
      expect(vector).toHaveLength(384)
      expect(likeness(vector, vector)).toBeCloseTo(1, 5)
    }
    expect(await embed()).toEqual([])
  })

  it('tell where topics change in joined texts, and cut no text of one topic', async () => {
    const { f1, cutTopics } = await findTopics(models, 20)
    expect(f1).toBeGreaterThanOrEqual(0.85)
    expect(cutTopics).toBe(0)
  })
})
