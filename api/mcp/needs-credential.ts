import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { tools } from './tool-list.ts'
import { publicName } from './tool-names.ts'

const toolCall = z.looseObject({ method: z.literal('tools/call'), params: z.looseObject({ name: z.string() }) })

/** Tells whether a message, or one of several, calls a tool that acts for an account. */
export function createCredentialCheck(config: Pick<Config, 'TOOL_PREFIX'>): (message: unknown) => boolean {
  const guarded = new Set(tools.filter(({ auth }) => auth !== 'none').map((tool) => publicName(config, tool)))
  return (message) =>
    [message].flat().some((one) => {
      const call = toolCall.safeParse(one)
      return call.success && guarded.has(call.data.params.name)
    })
}
