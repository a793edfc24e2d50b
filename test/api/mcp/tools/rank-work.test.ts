import { describe, expect, it } from 'vitest'
import { rankWork } from '../../../../api/mcp/tools/plan-integration.ts'
import { chains } from '../../../../src/chains/chains.ts'
import { endpoints } from '../../../../src/endpoints/catalog.ts'

const works = [...chains, ...endpoints]
const goals = works.flatMap((work) => work.goals.map((goal) => [goal, work.id] as const))
const idsFor = (goal: string) => rankWork(goal, 3).map(({ id }) => id)

describe('the work for a goal', () => {
  it.each(goals)('"%s" has %s among the best three', (goal, id) => {
    expect(idsFor(goal)).toContain(id)
  })

  it('is first for at least nine of ten goals', () => {
    const missed = goals.filter(([goal, id]) => idsFor(goal)[0] !== id)
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(goals.length / 10)
  })

  it('has goals for every chain and every endpoint', () => {
    expect(works.filter((work) => work.goals.length === 0)).toEqual([])
  })

  it.each(['', '🎬', 'the', '1:00', 'xyzzy', '__proto__ constructor'])('is none for "%s"', (goal) => {
    expect(idsFor(goal)).toEqual([])
  })

  it.each([
    'find ',
    'cut video ',
    'a-b_c ',
    '9:16“a',
    'ß',
    'ab',
    'yaeing',
    'settings media clip text range job frame ',
  ])('takes less than 5 ms for as many "%s" as a goal can have', (part) => {
    const goal = part.repeat(300).slice(0, 300)
    const times = 20
    rankWork(goal, 3)
    const start = process.cpuUsage()
    for (let time = 0; time < times; time += 1) rankWork(goal, 3)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000 / times).toBeLessThan(5)
  })
})
