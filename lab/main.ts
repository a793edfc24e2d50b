import type { Command, CommandEntry } from '../scripts/main.ts'

/** The experiments, with their arguments as the usage shows them. */
const experiments: Readonly<Record<string, CommandEntry>> = {
  agents: { load: async () => (await import('./agents/agents.ts')).agentsCommand },
  attacks: {
    takes: '[--seconds SECONDS] [ATTACK …]',
    load: async () => (await import('./attacks/attacks.ts')).attacksCommand,
  },
  corpus: { load: async () => (await import('./long-tests.ts')).corpusCommand },
  faults: { takes: '[VITEST ARGUMENT …]', load: async () => (await import('./long-tests.ts')).faultsCommand },
  finders: { takes: '[PART …]', load: async () => (await import('./finders/finders.ts')).findersCommand },
  fuzz: {
    takes: '[--seed NUMBER] [--minutes MINUTES] | --replay FILE',
    load: async () => (await import('./fuzz/fuzz.ts')).fuzzCommand,
  },
  generators: { load: async () => (await import('./generators.ts')).generatorsCommand },
  growth: { load: async () => (await import('./growth/growth.ts')).growthCommand },
  hour: { takes: '[PART …]', load: async () => (await import('./hour/hour.ts')).hourCommand },
  load: { load: async () => (await import('./load/load.ts')).loadCommand },
  money: { takes: '[HISTORIES]', load: async () => (await import('./long-tests.ts')).moneyCommand },
  outside: { takes: 'FOLDER', load: async () => (await import('./outside/outside.ts')).outsideCommand },
  streams: { load: async () => (await import('./streams.ts')).streamsCommand },
}

/** `npm run lab -- NAME [ARGUMENT …]`: one experiment. */
export const labCommand: Command = async (context) => {
  const [name = '', ...args] = context.args
  const entry = experiments[name]
  if (!entry) throw new Error(`usage: npm run lab -- ${Object.keys(experiments).join(' | ')}`)
  const usage = `usage: npm run lab -- ${[name, entry.takes ?? ''].join(' ').trim()}`
  if (args[0] === '--help' || args[0] === '-h') {
    console.log(usage)
    return 0
  }
  if (entry.takes === undefined && args.length > 0) throw new Error(usage)
  return (await entry.load())({ ...context, args, usage })
}
