import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { publicName } from './names.ts'
import { tools } from './tool-list.ts'

const toolCall = z.object({ method: z.unknown(), params: z.object({ name: z.unknown() }).optional() })

/** Whether a message, or a message of a batch, calls a tool that acts for an account. */
export function createCredentialCheck(config: Pick<Config, 'TOOL_PREFIX'>): (message: unknown) => boolean {
  const guarded: ReadonlySet<unknown> = new Set(
    tools.filter(({ auth }) => auth !== 'none').map((tool) => publicName(config, tool)),
  )
  return (message) =>
    [message].flat().some((one) => {
      const { data: call } = toolCall.safeParse(one)
      return call?.method === 'tools/call' && guarded.has(call.params?.name)
    })
}
