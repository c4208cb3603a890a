import type { McpClient, McpPromptDefinition } from '../mcp/mcp-client.ts'
import { text, type ContentBlock, type TextBlock } from '../messages/content.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import type { Tool } from '../tools/tool.ts'
import type { SlashCommand } from './chat-session.ts'

/** What a line that starts with `/` means in this session. */
export type CommandMatch =
  | { readonly type: 'answer'; readonly name: 'mcp' | 'tools' }
  | { readonly type: 'prompt'; readonly client: McpClient; readonly prompt: McpPromptDefinition; readonly input: string }

/** The model's own command: the offline model reads it itself. */
const callCommand: SlashCommand = {
  name: 'call',
  description: 'Run a tool with the arguments you give',
  hint: 'tool {"argument": "value"}',
}

export function listCommands(clients: ReadonlyMap<string, McpClient>, model: string): SlashCommand[] {
  return [
    { name: 'mcp', description: 'Show the MCP servers of this session' },
    { name: 'tools', description: 'Show the tools of this session' },
    ...(model === 'offline' ? [callCommand] : []),
    ...[...clients.values()].flatMap((client) => client.prompts.map((prompt) => toCommand(client, prompt))),
  ]
}

function toCommand(client: McpClient, prompt: McpPromptDefinition): SlashCommand {
  return {
    name: commandName(client, prompt),
    description: prompt.description ?? prompt.title ?? `A prompt of the server '${client.name}'`,
    hint:
      prompt.arguments.length === 0 ? undefined : prompt.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
  }
}

function commandName(client: McpClient, prompt: McpPromptDefinition): string {
  return `${client.name}:${prompt.name}`.replace(/\s+/g, '_')
}

export function matchCommand(content: readonly ContentBlock[], clients: ReadonlyMap<string, McpClient>): CommandMatch | undefined {
  const first = content[0]
  const line = first?.type === 'text' ? /^\/(\S+)\s*([^]*)$/.exec(first.text.trim()) : null
  const [, name, input = ''] = line ?? []
  if (name === undefined) return undefined
  if (name === 'mcp' || name === 'tools') return { type: 'answer', name }
  for (const client of clients.values()) {
    const prompt = client.prompts.find((candidate) => commandName(client, candidate) === name)
    if (prompt !== undefined) return { type: 'prompt', client, prompt, input }
  }
  return undefined
}

/** `name=value` pairs first; what is left goes to the arguments in order, the last one taking the rest of the line. */
export function toPromptArguments(prompt: McpPromptDefinition, input: string): Record<string, string> {
  const args: Record<string, string> = {}
  const words = input.match(/[\w.-]+="[^"]*"|"[^"]*"|\S+/g) ?? []
  const rest = words.filter((word) => {
    const [, name, value] = /^([\w.-]+)=([^]*)$/.exec(word) ?? []
    if (name === undefined || value === undefined || !prompt.arguments.some((argument) => argument.name === name)) return true
    args[name] = unquote(value)
    return false
  })
  const open = prompt.arguments.filter(({ name }) => !(name in args))
  for (const [index, { name }] of open.entries()) {
    if (rest.length === 0) break
    const value = index === open.length - 1 ? rest.splice(0).map(unquote).join(' ') : unquote(rest.shift() ?? '')
    args[name] = value
  }
  return args
}

function unquote(word: string): string {
  return /^"[^"]*"$/.test(word) ? word.slice(1, -1) : word
}

export function describeServers(report: ServerReport): TextBlock {
  const lines = [
    ...report.connected.map(({ server, tools }) => `- **${server}**: connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`),
    ...report.waiting.map((server) => `- **${server}**: still connecting`),
    ...report.failed.map(({ server, reason }) => `- **${server}**: failed: ${reason}`),
    ...report.warnings.map((warning) => `- ${warning}`),
  ]
  return text(lines.length === 0 ? 'This session has no MCP servers.' : lines.join('\n'))
}

export function describeTools(tools: readonly Tool[]): TextBlock {
  if (tools.length === 0) return text('This session has no tools yet.')
  const groups = Map.groupBy(tools, (tool) => tool.ref.server ?? 'Ostler')
  const sections = [...groups].map(([server, members]) => [`**${server}**`, ...members.map(describeTool)].join('\n'))
  return text(sections.join('\n\n'))
}

function describeTool({ ref, description }: Tool): string {
  const line = description.split('\n')[0] ?? ''
  return `- \`${ref.tool}\`${line === '' ? '' : `: ${line}`}`
}
