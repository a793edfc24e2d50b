import type { Api } from '../api.ts'
import { createAgent } from './agent.ts'

export const extensions = { 'io.modelcontextprotocol/tasks': {} }

/** A client of 2026-07-28 that declares the extension for tasks, and further capabilities. */
export function createTaskClient(api: Pick<Api, 'call'>, token?: string, capabilities: object = {}) {
  const agent = createAgent(api, token, '2026-07-28')
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions, ...capabilities } }
  const send = async (method: string, params: object) => (await agent.send(method, { ...params, _meta })).body
  const about = (method: string, taskId: unknown, more: object = {}) => send(method, { taskId, ...more })
  return {
    send,
    about,
    start: async (call: object) => (await send('tools/call', call)).result,
    get: async (taskId: string) => (await about('tasks/get', taskId)).result,
    answer: (taskId: string, inputResponses: object) => about('tasks/update', taskId, { inputResponses }),
  }
}
