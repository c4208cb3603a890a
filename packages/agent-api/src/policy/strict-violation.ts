import type { ConfiguredTool } from './tool-config.ts'

/** Tools that a strict owner has, and that `toolbox.tools` lacks. */
interface MissingTools {
  /** Undefined for local tools. */
  readonly server?: string
  readonly names: readonly string[]
  readonly configured: readonly ConfiguredTool[]
  readonly otherWay: string
}

export interface StrictViolation {
  readonly sentences: readonly string[]
  /** The sentences, and what to do. For several tools, with entries to paste. */
  readonly message: string
}

export function toStrictViolation({
  server,
  names,
  configured,
  otherWay,
}: MissingTools): StrictViolation | undefined {
  if (names.length === 0) return undefined
  const isSeveral = names.length > 1
  const sentences = names.map((name) =>
    server === undefined
      ? `Local tool '${name}' is not configured in the toolbox.`
      : `Tool '${name}' from MCP server '${server}' is not configured in the toolbox.`,
  )
  const message = `${sentences.join('\n')}

${server === undefined ? '' : `MCP Server: ${server}\n`}Mode: strict
Missing Tool${isSeveral ? 's' : ''}: ${names.join(', ')}

Configured tools: [${[...new Set(configured.map((tool) => tool.name))].join(', ')}]

To resolve:
1. Add the tool${isSeveral ? 's' : ''} to toolbox.tools in your configuration, OR
2. ${otherWay}${isSeveral ? `\n\nEntries for toolbox.tools:\n${names.map((name) => toEntry(name, server)).join('\n')}` : ''}`
  return { sentences, message }
}

function toEntry(name: string, server: string | undefined): string {
  const home = server === undefined ? '' : `, server: ${JSON.stringify(server)}`
  return `  - { name: ${JSON.stringify(name)}${home} }`
}
