import type { Goal } from '../../../../src/goals/goals.ts'

/** What people expect of media services, and no endpoint does. */
export interface Gap {
  /** Completes "There is no endpoint that …". */
  readonly what: string
  readonly goals: readonly Goal[]
  /** Words with which the goal asks for something else. */
  readonly unless?: readonly string[]
  /** Words that, in such a goal, ask for nothing else. */
  readonly asks?: readonly string[]
  /** What comes near to it. */
  readonly instead?: string
  /** Whether the rest of the goal is of use without it. Other gaps leave a goal that shares one word with an endpoint undone. */
  readonly isDetail?: true
}

/** The words between commas. One that ends with a space is whole. */
export function listed(list: string): readonly string[] {
  return list.split(', ')
}

/** A goal that has a word of each list. */
export function goalOf(...lists: readonly string[]): Goal {
  return lists.map(listed)
}
