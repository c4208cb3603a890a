import { isRecord } from '../base/is-record.ts'
import type { ToolCallPart } from '../messages/message.ts'
import { errorResult, objectSchema } from '../messages/tool.ts'
import { offerOwn } from './offered-tool.ts'
import type { ToolSet } from './tool-set.ts'

/** Calls a tool whose schema waits. It never runs itself: `resolveUse` puts the named tool in its place. */
export const useTool = offerOwn({
  ref: { server: null, tool: 'use_tool' },
  description:
    'Calls a tool that is listed by its name only. Read its arguments first, with find_tools, unless you know them. A wrong call comes back with them.',
  inputSchema: objectSchema(['tool'], {
    tool: { type: 'string', minLength: 1, description: 'Its full name, such as server__tool' },
    arguments: { type: 'object', description: 'Its arguments' },
  }),
  kind: 'other',
  isInternal: true,
  execute: () => Promise.resolve(errorResult('Name a tool and its arguments.')),
})

/** The call that a call of `use_tool` stands for, also one within another. */
export function resolveUse(call: ToolCallPart, tools: Pick<ToolSet, 'find'>): ToolCallPart {
  if (tools.find(call.wireName) !== useTool) return call
  let named = parse(call.input)
  while (isUse(named) && tools.find(named.tool) === useTool && isUse(named.arguments)) named = named.arguments
  if (!isUse(named)) return call
  const { tool, arguments: args = {} } = named
  // Some models write the arguments as JSON in a text.
  return { ...call, wireName: tool, input: typeof args === 'string' ? args : JSON.stringify(args) }
}

interface Use {
  readonly tool: string
  readonly arguments?: unknown
}

function isUse(value: unknown): value is Use {
  return isRecord(value) && typeof value['tool'] === 'string' && value['tool'] !== ''
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return undefined
  }
}
