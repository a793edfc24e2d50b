// A chat with the official bridge: it calls a tool, and shows the answer by the app that the tool names, under the app's policy.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

const extension = 'io.modelcontextprotocol/ui'

/** As the extension's text has it, with the media that this chat allows. */
function policyOf({ connectDomains = [], resourceDomains = [] }, allowsMedia) {
  const media = allowsMedia ? resourceDomains : []
  const sources = (...given) => (given.length > 0 ? given.join(' ') : "'none'")
  return [
    "default-src 'none'",
    `script-src ${sources("'unsafe-inline'", ...media)}`,
    `style-src ${sources("'unsafe-inline'", ...media)}`,
    `img-src ${sources('data:', ...media)}`,
    `media-src ${sources('data:', ...media)}`,
    `connect-src ${sources(...connectDomains)}`,
  ].join('; ')
}

globalThis.showAnswer = async ({ url, token, name, given, theme, allowsMedia }) => {
  const capabilities = { extensions: { [extension]: { mimeTypes: ['text/html;profile=mcp-app'] } } }
  const client = new Client({ name: 'chat', version: '1' }, { capabilities })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const { tools } = await client.listTools()
  const tool = tools.find((each) => each.name === name)
  const { contents } = await client.readResource({ uri: tool._meta.ui.resourceUri })
  const [page] = contents
  const policy = policyOf(page._meta.ui.csp, allowsMedia)
  const frame = document.createElement('iframe')
  frame.title = 'Timeline'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.style = 'width: 100%; border: 0'
  document.querySelector('main').append(frame)

  const hostCapabilities = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } }
  const bridge = new AppBridge(null, { name: 'chat', version: '1' }, hostCapabilities, { hostContext: { theme } })
  const told = { calls: [], links: [], context: [] }
  globalThis.told = told
  bridge.oncalltool = async (params) => {
    const called = tools.find((each) => each.name === params.name)
    const { visibility = ['model', 'app'] } = called?._meta?.ui ?? {}
    if (!called || !visibility.includes('app')) throw new Error('no such tool for the app')
    told.calls.push(params)
    const spends = called.annotations?.readOnlyHint === false
    if (spends && !window.confirm(`Run ${params.name}?`)) throw new Error('The user refused the call.')
    return client.callTool(params)
  }
  bridge.onopenlink = async ({ url: link }) => {
    told.links.push(link)
    return {}
  }
  bridge.onupdatemodelcontext = async (params) => {
    told.context.push(params)
    return {}
  }
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`
  }
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: given })
    await bridge.sendToolResult(await client.callTool({ name, arguments: given }))
  }
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = page.text.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
  return { bytes: page.text.length, policy }
}
