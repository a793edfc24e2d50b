/** An assistant that takes a server's address and a token, and how a person connects it. */
export interface Assistant {
  readonly name: string
  /** Where the text goes. */
  readonly place: string
  readonly text: string
  /** Opens the assistant with all of it. */
  readonly link?: string
}

const serverName = 'media-timeline'

/** The documented forms of the assistants that people use, each with the address of `/mcp` and the token of a connector. */
export function assistantsFor(url: string, token: string): readonly Assistant[] {
  const headers = { Authorization: `Bearer ${token}` }
  const http = { type: 'http', url, headers }
  return [
    {
      name: 'Claude Code',
      place: "Run this in a terminal, in your project's folder.",
      text: `claude mcp add --transport http ${serverName} ${url} --header "Authorization: Bearer ${token}"`,
    },
    {
      name: 'Cursor',
      place: 'Add this to ~/.cursor/mcp.json.',
      text: inJson({ mcpServers: { [serverName]: { url, headers } } }),
      // https://cursor.com/docs/mcp/install-links
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(btoa(JSON.stringify({ url, headers })))}`,
    },
    {
      name: 'VS Code',
      place: 'Add this to .vscode/mcp.json, and keep the file to yourself: it has the token.',
      text: inJson({ servers: { [serverName]: http } }),
      // https://code.visualstudio.com/api/extension-guides/ai/mcp
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, ...http }))}`,
    },
    {
      name: 'Codex',
      place: 'Add this to ~/.codex/config.toml.',
      text: [
        `[mcp_servers.${serverName}]`,
        `url = "${url}"`,
        `http_headers = { "Authorization" = "Bearer ${token}" }`,
      ].join('\n'),
    },
    {
      name: 'Gemini CLI',
      place: 'Add this to ~/.gemini/settings.json. Gemini CLI connects in folders that you trust.',
      text: inJson({ mcpServers: { [serverName]: { httpUrl: url, headers } } }),
    },
    {
      name: 'Windsurf',
      place: 'Add this to ~/.codeium/windsurf/mcp_config.json.',
      text: inJson({ mcpServers: { [serverName]: { serverUrl: url, headers } } }),
    },
    {
      name: 'Others',
      place: 'Most assistants take this form.',
      text: inJson({ mcpServers: { [serverName]: http } }),
    },
  ]
}

function inJson(configuration: object): string {
  return JSON.stringify(configuration, null, 2)
}
