import { describe, expect, it } from 'vitest'
import { tools } from '../../../../api/mcp/tool-list.ts'
import { freeTools, rankWork, toolsFor } from '../../../../api/mcp/tools/rank-work.ts'
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
    ['which files did I upload?', 'svc.list_uploads'],
    ['list my uploads', 'svc.list_uploads'],
    ['which jobs ran last week', 'svc.list_jobs'],
    ['is my job finished yet', 'svc.get_job'],
    ['stop the running job', 'svc.cancel_job'],
    ['how much did I spend this month', 'svc.get_usage_summary'],
    ['how many credits do I have left', 'svc.get_account_limits'],
    ['share the result with a client by a public link', 'svc.create_share'],
    ['revoke a leaked API key', 'svc.list_api_keys'],
    ['notify my server when a job ends', 'svc.manage_webhooks'],
    ['explain your capabilities', 'svc.get_agent_guide'],
  ])('is none for "%s", for which %s is enough', (goal, tool) => {
    expect(idsFor(goal)).toEqual([])
    expect(toolsFor(goal, 3)[0]?.id).toBe(tool)
  })

  it.each(['book a flight to Paris', 'what is the weather', 'which is it', 'write a poem', 'video'])(
    'is none for "%s", which nothing does',
    (goal) => {
      expect(idsFor(goal)).toEqual([])
    },
  )

  it('names tools that exist in place of work', () => {
    const names = new Set(tools.map(({ name }) => `svc.${name}`))
    const named = freeTools.flatMap(({ id, does }) => [id, ...(does.match(/svc\.\w+/g) ?? [])])
    expect(named.filter((name) => !names.has(name))).toEqual([])
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
