import type { Moment } from './cases.ts'
import { type Gate, holdGates } from './gates.ts'
import { conclude, type Met } from './record.ts'
import type { FaultStack, Target } from './stack.ts'
import { until } from './until.ts'

/** A case with the gate at which its fault happens. */
export interface AtGate extends Met, Gate {
  /** The process whose transaction waits there. */
  readonly actor: Target
  /** Posts the work that reaches the gate. */
  post(): Promise<void>
}

/** Kills once, while each case has its own work at its gate. */
export async function killAt(stack: FaultStack, target: Target, moment: Moment, met: readonly AtGate[]): Promise<void> {
  const gates = await holdGates(stack.databaseUrl, met)
  const posts = met.map(({ post }) => post())
  await until('every job stands at its gate', gates.areReached, 60)

  if (moment === 'after') {
    const link = stack.links[target === 'postgres' ? 'postgres' : 'temporal']
    link.pause()
    await gates.release()
    await until('every change is committed', gates.areCommitted, 30)
    await stack.kill(target)
    link.cut()
  } else {
    await stack.kill(target)
    await gates.abort(({ actor }) => actor === target)
    await gates.release()
  }
  await stack.start(target)
  await Promise.all(posts)
  await conclude(stack, met)
}
