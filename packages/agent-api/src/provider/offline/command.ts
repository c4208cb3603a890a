import { messageOf } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { didYouMean } from '../../base/did-you-mean.ts'
import { wordsOf } from '../../tools/search-terms.ts'
import { fillArguments, type FilledArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { list, toolList, unknownCommand } from './phrases.ts'

export type Command =
  | { readonly type: 'list' }
  | { readonly type: 'call'; readonly tool: OfflineTool; readonly filled: FilledArguments }
  | { readonly type: 'problem' | 'unknown'; readonly text: string }

type Tools = readonly OfflineTool[]

/**
 * Parses `/tools`, `/call tool {json}`, `/call tool name=value`, the same without `/call`, and unknown commands.
 * Undefined for other text: `/tmp/notes.txt` is a path.
 */
export function readCommand(said: string, tools: Tools): Command | undefined {
  const text = said.trim()
  if (/^\/tools\b/i.test(text)) return { type: 'list' }
  if (/^\/call$/i.test(text))
    return { type: 'problem', text: 'Write `/call tool name=value`; `/tools` lists the tools.' }
  const [, call, name, input = ''] = /^\/(call\s+)?([^\s/]+)(?:\s+|$)([\s\S]*)$/i.exec(text) ?? []
  if (name === undefined) return undefined
  const found = findTools(name, tools)
  const [tool] = found
  if (tool === undefined)
    return call === undefined
      ? { type: 'unknown', text: unknownCommand(name) }
      : { type: 'problem', text: unknownTool(name, tools) }
  if (found.length > 1)
    return { type: 'problem', text: `Several tools are called \`${name}\`:\n\n${list(found)}` }
  return readInput(tool, input)
}

/** Finds tools by wire name, or else by the name without the server. */
export function findTools(name: string, tools: Tools): OfflineTool[] {
  const exact = tools.find((tool) => tool.name === name)
  return exact ? [exact] : tools.filter((tool) => bareNameOf(tool) === name)
}

/** The tool's name without the server, as far as the wire name shows it. */
export function bareNameOf({ name }: OfflineTool): string {
  const at = name.indexOf('__')
  return at > 0 && at + 2 < name.length ? name.slice(at + 2) : name
}

/** Arguments in JSON are sent unchanged. The tool reports what is wrong with them. */
function readInput(tool: OfflineTool, input: string): Command {
  if (!/^[{[]/.test(input)) return { type: 'call', tool, filled: fillArguments(tool, input) }
  try {
    const values: unknown = JSON.parse(input)
    if (isRecord(values)) return { type: 'call', tool, filled: { values, missing: [], unused: 0 } }
    return {
      type: 'problem',
      text: `The arguments of \`${tool.name}\` must be a JSON object, as in \`{"name": "value"}\`.`,
    }
  } catch (error) {
    return { type: 'problem', text: `The arguments of \`${tool.name}\` are not JSON: ${messageOf(error)}.` }
  }
}

function unknownTool(name: string, tools: Tools): string {
  const near = didYouMean(name, tools.map(bareNameOf))
  const words = wordsOf(name)
  const similar = tools.filter((tool) => {
    const own = wordsOf(tool.name)
    return bareNameOf(tool) === near || (words.length > 0 && words.every((word) => own.includes(word)))
  })
  return similar.length > 0
    ? `There is no tool \`${name}\`. Similar names:\n\n${toolList(similar)}`
    : `There is no tool \`${name}\`. \`/tools\` lists all ${tools.length} tools.`
}
