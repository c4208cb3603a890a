import type { McpServerConfig } from '../mcp/server-config.ts'

/** What runs behind a server's tools, in full, for the person who is asked. An argument may be a secret: whoever shows it redacts it. */
export function toServerOrigin(config: McpServerConfig): string {
  switch (config.type) {
    case 'stdio':
      return [config.command, ...config.args].map(quote).join(' ')
    case 'http':
    case 'sse':
      return withoutCredentials(config.url)
  }
}

function quote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return '(not a valid address)'
  const url = new URL(address)
  return `${url.origin}${url.pathname}`
}
