import path from 'node:path'
import { createClient } from '../../scripts/client.ts'
import type { Command } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { runToEnd } from '../../scripts/stack/run-to-end.ts'
import { type Chain, chains } from '../../src/chains/chains.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { describeFigures, type Figure, percentile, report } from '../figures.ts'
import { withFolder, withLabStack } from '../lab-stack.ts'
import { createFollower, planFor } from './follow-plan.ts'
import { createInspector, type Inspector, installInspector } from './inspector.ts'

const works = [...chains, ...endpoints]

/**
 * `npm run lab -- agents`: plans every goal of the chains and endpoints with the protocol's Inspector, makes the calls of one plan for
 * each of them as they are written, and counts the tokens of the answers.
 */
export const agentsCommand: Command = (context) =>
  withFolder(async (folder) => {
    context.say('installing the Inspector')
    await installInspector(folder, context.env)
    const { ffmpegPath } = await context.findTools()
    const film = path.join(folder, 'talk.mp4')
    const speech = path.join(context.root, 'test', 'fixtures', 'speech.wav')
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-i', speech]
    await runToEnd([ffmpegPath, '-v', 'error', ...inputs, '-shortest', '-preset', 'ultrafast', film])

    const stack = { folder: path.join(folder, 'stack'), env: noQuotas }
    const text = await withLabStack(context, stack, async ({ apiUrl, newKey }) => {
      const key = await newKey({ hasBilling: true })
      const inspector = createInspector(folder, apiUrl, key)
      const client = createClient(apiUrl, key)
      const follow = createFollower(inspector, client, await client.upload(film))
      const list = await inspector.listTools()
      const measured: Measured[] = []
      for (const work of works) {
        measured.push(await measure(inspector, follow, work))
        context.say(`${work.id}: ${work.goals.length} goals`)
      }
      const planTokens = measured.flatMap(({ plans }) => plans.map(({ tokens }) => tokens))
      const allTokens = measured.map(({ tokens }) => tokens)
      const missed = measured.flatMap((each) => each.missed)
      const failed = measured.flatMap(({ failure }) => failure ?? [])
      const [goals, reached] = [planTokens.length, works.length - failed.length]
      const figures: Figure[] = [
        { name: 'tokens of the list of tools', value: list.tokens, goal: 8_000, unit: '' },
        { name: 'tokens of a plan, median', value: percentile(planTokens, 0.5), goal: 1_500, unit: '' },
        { name: 'tokens from goal to result, median', value: percentile(allTokens, 0.5), goal: 6_000, unit: '' },
        { name: 'tokens from goal to result, most', value: Math.max(...allTokens), goal: 10_000, unit: '' },
        {
          name: `goals planned, of ${goals}`,
          value: goals - missed.length,
          goal: 0.9 * goals,
          unit: '',
          isFloor: true,
        },
        { name: 'plans whose calls are all valid', value: reached, goal: works.length, unit: '', isFloor: true },
      ]
      const told = [...missed, ...failed].map((each) => `- ${each}`)
      return `## Agents\n\nPlans of ${goals} goals, and the calls of one for each of ${works.length} chains and endpoints:\n\n${describeFigures(figures)}\n\n${told.join('\n')}`
    })
    await report(context, 'agents', text)
    return 0
  })

type Measured = Awaited<ReturnType<typeof measure>>

/** Plans each goal of the work, and follows the first plan that has the work as its best. */
async function measure(
  inspector: Inspector,
  follow: ReturnType<typeof createFollower>,
  { id, goals }: Pick<Chain, 'id' | 'goals'>,
) {
  const plans = []
  for (const goal of goals) plans.push({ goal, ...(await planFor(inspector, goal)) })
  const missed = plans.filter(({ ids }) => !ids.includes(id)).map(({ goal }) => `"${goal}" misses ${id}`)
  const own = plans.find(({ ids }) => ids[0] === id)
  if (!own) return { plans, missed, tokens: 0, failure: `${id} is the best for none of its goals` }
  const { tokens, failure } = await follow(own)
  return { plans, missed, tokens: own.tokens + tokens, failure: failure && `${id}: ${failure}` }
}
