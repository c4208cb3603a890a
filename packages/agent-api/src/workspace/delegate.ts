import type { TextCleaner } from '../base/clean-text.ts'
import { objectSchema, type Tool, type ToolCallContext, type ToolResult } from '../messages/tool.ts'

const titleCharsMax = 120

const inputSchema = objectSchema(['task'], { task: { type: 'string', minLength: 1 } })

/** Lets the model give a task to a fresh context, which `run` does. The calls of the task may need approval; the task itself does not. */
export function createDelegateTool(
  run: (task: string, context: ToolCallContext) => Promise<ToolResult>,
  cleaner: Pick<TextCleaner, 'openEnd'>,
): Tool {
  return {
    ref: { server: null, tool: 'delegate' },
    title: 'Delegate a task',
    description:
      'Gives a task to a helper with your tools, and returns its answer. For work that reads much, such as a wide search. ' +
      'It knows nothing about this conversation: write all it must know, and what to answer.',
    kind: 'think',
    isInternal: true,
    inputSchema,
    plan: ({ task }) =>
      Promise.resolve({ title: `Task: ${firstLineOf(String(task), cleaner)}`, effect: 'none' }),
    execute: ({ task }, context) => run(String(task), context),
  }
}

/** The whole task is in the arguments. */
function firstLineOf(task: string, { openEnd }: Pick<TextCleaner, 'openEnd'>): string {
  const line = /\S.*/.exec(task)?.[0].trim() ?? ''
  if (line.length <= titleCharsMax) return line
  const part = line.slice(0, titleCharsMax - 1)
  return `${part.slice(0, part.length - openEnd(part)).trimEnd()}…`
}
