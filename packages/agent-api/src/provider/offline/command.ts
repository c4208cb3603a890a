import { messageOf } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { createToolSearch } from '../../tools/tool-search.ts'
import { nearNames } from './near-names.ts'
import type { OfflineTool } from './offline-tool.ts'
import { list, unknownCommand } from './phrases.ts'

export type Command =
  | { readonly type: 'list' }
  /** `input` is undefined if none was written; the model then asks for it. */
  | { readonly type: 'call'; readonly tool: OfflineTool; readonly input: Readonly<Record<string, unknown>> | undefined }
  | { readonly type: 'problem' | 'unknown'; readonly text: string }

type Tools = readonly OfflineTool[]

const nearMatchesMax = 5

/** Parses `/tools`, `/call tool {json}` and unknown commands. Undefined for other text: `/tmp/notes.txt` is a path. */
export async function readCommand(said: string, tools: Tools): Promise<Command | undefined> {
  const text = said.trim()
  if (/^\/tools\b/i.test(text)) return { type: 'list' }
  const match = /^\/call(?:\s+(\S+)\s*([\s\S]*))?$/i.exec(text)
  if (!match) {
    const [, unknown] = /^\/([\w:-]+)(?=\s|$)/.exec(text) ?? []
    return unknown === undefined ? undefined : { type: 'unknown', text: unknownCommand(unknown) }
  }
  const [, name, json = ''] = match
  if (name === undefined) return { type: 'problem', text: 'Write `/call tool {"name": "value"}`; `/tools` lists the tools.' }
  const found = findTools(name, tools)
  const [tool] = found
  if (!tool) return { type: 'problem', text: await unknownTool(name, tools) }
  if (found.length > 1) return { type: 'problem', text: `Several tools are called \`${name}\`:\n\n${list(found)}` }
  return readInput(tool, json.trim())
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

function readInput(tool: OfflineTool, json: string): Command {
  if (json === '') return { type: 'call', tool, input: undefined }
  try {
    const input: unknown = JSON.parse(json)
    if (isRecord(input)) return { type: 'call', tool, input }
    return { type: 'problem', text: `The arguments of \`${tool.name}\` must be a JSON object, as in \`{"name": "value"}\`.` }
  } catch (error) {
    return { type: 'problem', text: `The arguments of \`${tool.name}\` are not JSON: ${messageOf(error)}.` }
  }
}

async function unknownTool(name: string, tools: Tools): Promise<string> {
  const { search } = await createToolSearch(
    tools.map((tool) => ({ ref: { server: null, tool: tool.name }, description: tool.description, inputSchema: {} })),
  )
  const found = search(name, nearMatchesMax).flatMap(({ index }) => tools[index] ?? [])
  const near = [...new Set([...nearNames(name, tools, bareNameOf), ...found])].slice(0, nearMatchesMax)
  return near.length > 0
    ? `There is no tool \`${name}\`. Similar names:\n\n${list(near)}`
    : `There is no tool \`${name}\`. \`/tools\` lists all ${tools.length} tools.`
}
