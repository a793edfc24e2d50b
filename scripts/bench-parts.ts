import type { Context } from './main.ts'

/** Throws the usage if an argument names no part of the bench. */
export function assertParts({ args, usage }: Context, parts: readonly string[]): void {
  const unknown = args.find((name) => !parts.includes(name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a part: use ${parts.join(', ')}\n${usage}`)
}
