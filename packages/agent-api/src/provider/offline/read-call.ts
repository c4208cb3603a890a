import { messageOf } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { didYouMean } from '../../base/did-you-mean.ts'
import { fillArguments, type FilledArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { severalFit } from './phrases.ts'

export interface Call {
  readonly tool: OfflineTool
  readonly filled: FilledArguments
}

type Tools = readonly OfflineTool[]

/** Parses `/call tool {json}` and `/call tool name=value`. Undefined for other text. */
export function readCall(said: string, tools: Tools): Call | { readonly text: string } | undefined {
  const [, name, input = ''] = /^\s*\/call(?:\s+(\S+)\s*([\s\S]*))?$/i.exec(said) ?? []
  if (name === undefined)
    return /^\s*\/call\s*$/i.test(said)
      ? { text: 'Write `/call tool name=value`; `/tools` lists the tools.' }
      : undefined
  const found = findTools(name, tools)
  const [tool] = found
  if (tool === undefined) return { text: unknownTool(name, tools) }
  if (found.length > 1) return { text: severalFit(found) }
  return /^[{[]/.test(input) ? fromJson(tool, input) : { tool, filled: fillArguments(tool, input) }
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
function fromJson(tool: OfflineTool, input: string): Call | { readonly text: string } {
  try {
    const values: unknown = JSON.parse(input)
    if (isRecord(values)) return { tool, filled: { values, missing: [] } }
    return { text: `The arguments of \`${tool.name}\` must be a JSON object, as in \`{"name": "value"}\`.` }
  } catch (error) {
    return { text: `The arguments of \`${tool.name}\` are not JSON: ${messageOf(error)}.` }
  }
}

function unknownTool(name: string, tools: Tools): string {
  const near = didYouMean(name, tools.map(bareNameOf))
  const hint =
    near === undefined ? `\`/tools\` lists all ${tools.length} tools.` : `Did you mean \`${near}\`?`
  return `There is no tool \`${name}\`. ${hint}`
}
