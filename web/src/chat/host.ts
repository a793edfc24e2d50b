import * as z from 'zod/mini'

// The app's side of the protocol between a user interface and its host: JSON-RPC by messages of the window. The official class is
// ten times as large as the app.

const content = z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) }))

const toolResult = z.looseObject({
  isError: z.optional(z.boolean()),
  structuredContent: z.optional(z.looseObject({})),
  content: z.optional(content),
})

export type ToolResult = z.output<typeof toolResult>

const context = z.looseObject({ theme: z.optional(z.enum(['light', 'dark'])) })
const capability = z.optional(z.looseObject({}))
const initialized = z.looseObject({
  hostCapabilities: z.looseObject({
    openLinks: capability,
    serverTools: capability,
    updateModelContext: capability,
  }),
  hostContext: z.optional(context),
})

export type HostCapabilities = z.output<typeof initialized>['hostCapabilities']

const id = z.union([z.string(), z.number()])
const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(id),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.string() })),
})

type Message = z.output<typeof message>

interface Listeners {
  readonly onTheme: (theme: 'light' | 'dark') => void
  /** The result of the call that the app is shown for. */
  readonly onResult: (result: ToolResult) => void
  readonly onCanceled: () => void
}

export interface Host {
  readonly capabilities: HostCapabilities
  /** Rejects if the host or its user refuses the call. */
  readonly callTool: (name: string, given: object) => Promise<ToolResult>
  readonly openLink: (url: string) => Promise<unknown>
  /** Tells the model what a person did here, without an answer of its. */
  readonly tellModel: (text: string) => Promise<unknown>
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export async function connectToHost(listeners: Listeners): Promise<Host> {
  const waiting = new Map<string | number, Waiting>()
  let lastId = 0
  // The host does not tell its origin. Only the parent gets the message.
  const post = (sent: object) => window.parent.postMessage({ jsonrpc: '2.0', ...sent }, '*')
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      post({ id: lastId, method, params })
    })
  const noteContext = (given: unknown) => {
    const { theme } = context.safeParse(given).data ?? {}
    if (theme) listeners.onTheme(theme)
  }
  const onNotification = (method: string, params: unknown) => {
    if (method === 'ui/notifications/host-context-changed') noteContext(params)
    else if (method === 'ui/notifications/tool-cancelled') listeners.onCanceled()
    else if (method === 'ui/notifications/tool-result') listeners.onResult(toolResult.parse(params))
  }

  const onAnswer = ({ id: asked = '', error, result }: Message) => {
    const call = waiting.get(asked)
    waiting.delete(asked)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  }
  const onRequest = (method: string, asked: string | number) => {
    if (method === 'ping' || method === 'ui/resource-teardown') post({ id: asked, result: {} })
    else post({ id: asked, error: { code: -32_601, message: 'not supported' } })
  }

  window.addEventListener('message', ({ source, data }) => {
    const { data: read } = message.safeParse(data)
    if (source !== window.parent || !read) return
    if (read.method === undefined) onAnswer(read)
    else if (read.id === undefined) onNotification(read.method, read.params)
    else onRequest(read.method, read.id)
  })

  const answer = await request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'media-timeline', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  })
  const { hostCapabilities: capabilities, hostContext } = initialized.parse(answer)
  noteContext(hostContext)
  post({ method: 'ui/notifications/initialized', params: {} })
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect()
    post({
      method: 'ui/notifications/size-changed',
      params: { width: Math.ceil(width), height: Math.ceil(height) },
    })
  }).observe(document.documentElement)
  return {
    capabilities,
    callTool: async (name, given) => toolResult.parse(await request('tools/call', { name, arguments: given })),
    openLink: (url) => request('ui/open-link', { url }),
    tellModel: (text) => request('ui/update-model-context', { content: [{ type: 'text', text }] }),
  }
}
