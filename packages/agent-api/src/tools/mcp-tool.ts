import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf, OstlerError } from '../base/errors.ts'
import type { McpClient, McpToolDefinition } from '../mcp/mcp-client.ts'
import {
  errorResult,
  type Tool,
  type ToolArguments,
  type ToolKind,
  type ToolLocation,
} from '../messages/tool.ts'

export function createMcpTool(client: McpClient, definition: McpToolDefinition): Tool {
  return {
    ref: { server: client.name, tool: definition.name },
    title: definition.title,
    description: definition.description,
    inputSchema: definition.inputSchema,
    annotations: definition.annotations,
    icons: definition.icons,
    kind: kindOf(definition),
    locations: locationsOf,
    async execute(args, { signal, timeoutMs, show }) {
      try {
        const result = await client.callTool(definition.name, args, {
          signal,
          timeoutMs,
          definition,
          onProgress: (progress) => show([{ type: 'text', text: progressText(progress) }]),
        })
        if (definition.outputSchema === undefined) return result
        // Sessions open before anything is checked, so what checks values is loaded on first use.
        const { checkOutput } = await import('./validate-arguments.ts')
        return checkOutput(result, definition.outputSchema)
      } catch (error) {
        return { ...errorResult(`MCP error: ${messageOf(error)}`), ...scopeOf(error) }
      }
    },
  }
}

function scopeOf(error: unknown): { readonly needsScope?: string } {
  const scope =
    error instanceof OstlerError && error.code === 'mcp.needs_scope' ? error.data['scope'] : undefined
  return typeof scope === 'string' ? { needsScope: scope } : {}
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number
  total?: number
  message?: string
}): string {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`
  return message === undefined ? `Progress: ${amount}` : `${message} (${amount})`
}

/** The verb in a tool's name is the best indication of its kind, before the server's own hints. Used for the icon only. */
const kindByVerb: readonly (readonly [ToolKind, RegExp])[] = [
  ['search', /^(search|find|grep|query|lookup|glob)$/],
  ['delete', /^(delete|remove|drop|destroy|rm|clear|purge)$/],
  ['move', /^(move|rename|mv)$/],
  ['edit', /^(write|edit|create|update|set|add|insert|append|patch|replace|put|save|apply)$/],
  ['execute', /^(run|exec|execute|call|start|stop|invoke|eval|launch|kill)$/],
  ['fetch', /^(fetch|download|http|browse|navigate|crawl|scrape|open)$/],
  ['think', /^(think|reason|plan|sequentialthinking)$/],
  ['read', /^(read|get|list|show|describe|view|stat|directory|echo|print|inspect)$/],
]

function kindOf({ name, annotations }: McpToolDefinition): ToolKind {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  for (const word of words) {
    const kind = kindByVerb.find(([, verbs]) => verbs.test(word))?.[0]
    if (kind !== undefined) return kind
  }
  return annotations?.readOnlyHint === true ? 'read' : 'other'
}

const pathArguments = [
  'path',
  'file',
  'filePath',
  'file_path',
  'filename',
  'source',
  'destination',
  'uri',
  'paths',
  'files',
]

function locationsOf(args: ToolArguments): readonly ToolLocation[] {
  const values = pathArguments.flatMap((name) => args[name]).filter((value) => typeof value === 'string')
  return values
    .map(toPath)
    .filter((path) => path !== undefined)
    .map((path) => ({ path }))
}

function toPath(value: string): string | undefined {
  if (isAbsolute(value)) return value
  if (!value.startsWith('file://')) return undefined
  try {
    return fileURLToPath(value)
  } catch {
    return undefined
  }
}
