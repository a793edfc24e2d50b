import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, totalmem, type } from 'node:os'
import path from 'node:path'
import type { Context } from '../scripts/main.ts'

/** A measured number and its goal, which is a maximum, or a minimum with `isFloor`. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly goal: number
  readonly unit: string
  readonly isFloor?: true
}

export function describeFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, goal, unit, isFloor }) => {
    const isReached = isFloor ? value >= goal : value <= goal
    return `| ${name} | ${show(value)} ${unit} | ${isFloor ? '≥' : '≤'} ${show(goal)} | ${isReached ? 'yes' : 'no'} |`
  })
  return ['| | measured | goal | reached |', '|---|---|---|---|', ...rows].join('\n')
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

export function asSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}

/** The value that the given share (0 to 1) of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  if (value === undefined) throw new RangeError('no values')
  return value
}

/** The duration of the work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Runs the methods in turns for a number of rounds, so that all run under the same conditions, and returns the median milliseconds of
 * each. A method receives the number of the round; a number that it returns replaces its measured time.
 */
export async function inTurns<Way extends string>(
  rounds: number,
  ways: Readonly<Record<Way, (round: number) => Promise<unknown>>>,
): Promise<(way: Way) => number> {
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [way, work] of Object.entries<(round: number) => Promise<unknown>>(ways)) {
      const start = performance.now()
      const returned = await work(round)
      const took = typeof returned === 'number' ? returned : performance.now() - start
      times.set(way, [...(times.get(way) ?? []), took])
    }
  }
  return (way) => percentile(times.get(way) ?? [], 0.5)
}

/** The parts that the arguments name, or all. */
export function chooseParts<Name extends string>(
  { args, usage }: Context,
  parts: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  const names = Object.keys(parts).filter((name): name is Name => Object.hasOwn(parts, name))
  const unknown = args.find((given) => !names.some((name) => name === given))
  if (unknown !== undefined) throw new Error(`${unknown} is not a part: use ${names.join(', ')}\n${usage}`)
  return names.filter((name) => args.length === 0 || args.includes(name))
}

/** Prints a result with its machine, and stores it as DATA_DIR/NAME.md. */
export async function report({ dataDir, findTools }: Context, name: string, text: string): Promise<void> {
  const { ffmpegPath } = await findTools()
  const [version = ''] = execFileSync(ffmpegPath, ['-version'], { encoding: 'utf8' }).split(' Copyright')
  const machine = `${cpus().length} cores (${arch()}, ${type()}), ${Math.round(totalmem() / 2 ** 30)} GiB`
  const page = `${text.trimEnd()}\n\nMeasured on ${machine}, Node ${process.version}, ${version}, with everything on this machine.\n`
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(path.join(dataDir, `${name}.md`), page)
  console.log(page)
}
