import {
  errorResult,
  textResult,
  type JsonSchema,
  type Tool,
  type ToolArguments,
  type ToolKind,
  type ToolResult,
} from '../messages/tool.ts'
import { messageOf } from '../base/errors.ts'

/** A tool of your program. `kind` selects its icon in an editor. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema?: JsonSchema
  readonly kind?: ToolKind
  /** Returning a string gives a text result. Throwing gives an error that the model reads. */
  readonly execute: (
    args: ToolArguments,
    context: { readonly signal: AbortSignal },
  ) => Promise<string | ToolResult> | string | ToolResult
}

/** Defines a local tool, for a program that embeds the agent or for a module listed in an agent file. */
export function defineTool({
  name,
  description,
  inputSchema = { type: 'object' },
  kind = 'other',
  execute,
}: ToolDefinition): Tool {
  return {
    ref: { server: null, tool: name },
    description,
    inputSchema,
    kind,
    async execute(args, context) {
      try {
        const result = await execute(args, context)
        return typeof result === 'string' ? textResult(result) : result
      } catch (error) {
        return errorResult(`The tool failed: ${messageOf(error)}`)
      }
    },
  }
}
