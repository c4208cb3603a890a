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

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** What the arguments must look like; an object without any when unset. */
  readonly inputSchema?: JsonSchema
  readonly kind?: ToolKind
  /** A text is a result. A throw is a failure that the model reads. */
  readonly execute: (args: ToolArguments, context: { readonly signal: AbortSignal }) => Promise<string | ToolResult> | string | ToolResult
}

/** A tool that lives in this process: of a program that embeds the agent, or of a module that an agent file names. */
export function defineTool({ name, description, inputSchema = { type: 'object' }, kind = 'other', execute }: ToolDefinition): Tool {
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
