import type { McpPromptDefinition } from '../mcp/mcp-client.ts'
import { text, type ContentBlock, type TextBlock } from '../messages/content.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import { toolKey } from '../tools/select-tools.ts'
import type { SlashCommand } from './chat-session.ts'
import type { OfferedPrompt } from './session-state.ts'

/** The meaning of a line that starts with `/`. */
export type CommandMatch = AnswerCommand | (OfferedPrompt & { readonly type: 'prompt'; readonly input: string })

/** Answered by Ostler itself, without the model. */
export interface AnswerCommand {
  readonly type: 'answer'
  readonly name: 'mcp' | 'tools'
  readonly input: string
}

/** Handled by the offline model itself. */
const callCommand: SlashCommand = {
  name: 'call',
  description: 'Run a tool with these arguments',
  hint: 'tool {"argument": "value"}',
}

export function listCommands(prompts: readonly OfferedPrompt[], model: string): SlashCommand[] {
  return [
    { name: 'mcp', description: 'Show the MCP servers of this session, or reconnect one', hint: '[reconnect [server]]' },
    { name: 'tools', description: 'Show the tools of this session, or add or remove one', hint: '[add|remove server:tool]' },
    ...(model === 'offline' ? [callCommand] : []),
    ...prompts.map(toCommand),
  ]
}

function toCommand({ client, prompt }: OfferedPrompt): SlashCommand {
  return {
    name: commandName({ client, prompt }),
    description: prompt.description ?? prompt.title ?? `A prompt of the server '${client.name}'`,
    hint:
      prompt.arguments.length === 0 ? undefined : prompt.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
  }
}

function commandName({ client, prompt }: OfferedPrompt): string {
  return `${client.name}:${prompt.name}`.replace(/\s+/g, '_')
}

export function matchCommand(content: readonly ContentBlock[], prompts: readonly OfferedPrompt[]): CommandMatch | undefined {
  const first = content[0]
  const line = first?.type === 'text' ? /^\/(\S+)\s*([^]*)$/.exec(first.text.trim()) : null
  const [, name, input = ''] = line ?? []
  if (name === undefined) return undefined
  if (name === 'mcp' || name === 'tools') return { type: 'answer', name, input: input.trim() }
  const offered = prompts.find((candidate) => commandName(candidate) === name)
  return offered && { type: 'prompt', ...offered, input }
}

/** Assigns `name=value` pairs first, then the other words in order. The last argument takes the rest of the line. */
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

/** Answers `/tools`, `/tools add server:tool` and `/tools remove server:tool`. */
export function answerToolsCommand(input: string, tools: readonly OfferedTool[], added: Set<string>): TextBlock {
  const [, verb, key] = /^(add|remove)\s+(\S.*)$/.exec(input) ?? []
  if (verb === undefined || key === undefined) {
    return text(input === '' ? describeTools(tools, added) : 'Usage: `/tools`, `/tools add server:tool` or `/tools remove server:tool`.')
  }
  const entry = tools.find(({ tool }) => toolKey(tool.ref) === key)
  if (entry === undefined) return text(`There is no tool \`${key}\`. \`/tools\` lists all tools.`)
  if (!isOnDemand(entry)) return text(`\`${key}\` is always offered.`)
  if (verb === 'add') added.add(key)
  else added.delete(key)
  return text(verb === 'add' ? `\`${key}\` is offered from now on.` : `\`${key}\` is no longer offered.`)
}

function describeTools(tools: readonly OfferedTool[], added: ReadonlySet<string>): string {
  if (tools.length === 0) return 'This session has no tools.'
  const groups = Map.groupBy(tools, ({ tool }) => tool.ref.server ?? 'Ostler')
  return [...groups]
    .map(([server, members]) => [`**${server}**`, ...members.map((entry) => describeTool(entry, added))].join('\n'))
    .join('\n\n')
}

function describeTool(entry: OfferedTool, added: ReadonlySet<string>): string {
  const { ref, description } = entry.tool
  const line = description.split('\n')[0] ?? ''
  const state = !isOnDemand(entry)
    ? ''
    : added.has(toolKey(ref))
      ? ' (added)'
      : entry.config.include.value === 'manual'
        ? ' (not added)'
        : ' (when it fits)'
  return `- \`${ref.tool}\`${state}${line === '' ? '' : `: ${line}`}`
}

function isOnDemand({ config, home }: OfferedTool): boolean {
  return home.type === 'server' && home.owner === 'agent' && config.include.value !== 'always'
}
