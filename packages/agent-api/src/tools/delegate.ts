import type { Tool, ToolCallContext, ToolResult } from '../messages/tool.ts'

const titleCharsMax = 120

/** Lets the model give a task to a fresh context. `run` does it. The calls of the task are asked about; the task itself is not. */
export function createDelegateTool(run: (task: string, context: ToolCallContext) => Promise<ToolResult>): Tool {
  return {
    ref: { server: null, tool: 'delegate' },
    title: 'Delegate a task',
    description:
      'Gives a task to a helper that has your tools but knows nothing of this conversation, and returns its answer. For work that reads much and ' +
      'whose details you do not need, such as a search through many files. Write everything it must know, and what it should answer. Several calls at once run in parallel.',
    kind: 'think',
    isInternal: true,
    inputSchema: {
      type: 'object',
      properties: { task: { type: 'string', minLength: 1 } },
      required: ['task'],
      additionalProperties: false,
    },
    plan: ({ task }) => Promise.resolve({ title: `Task: ${firstLineOf(String(task))}`, effect: 'none' }),
    execute: ({ task }, context) => run(String(task), context),
  }
}

/** The whole task is in the arguments. */
function firstLineOf(task: string): string {
  const line = /\S.*/.exec(task)?.[0].trim() ?? ''
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1).trimEnd()}…` : line
}
