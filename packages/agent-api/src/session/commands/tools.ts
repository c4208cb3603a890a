import type { OfferedTool } from '../../tools/offered-tool.ts'
import { toolKey } from '../../tools/select-tools.ts'
import { toolsOf } from '../session-state.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const toolsCommand: AnswerCommand = {
  type: 'answer',
  name: 'tools',
  description: 'Show the tools of this session, or add or remove one',
  hint: '[add|remove server:tool]',
  async answer(state, input) {
    await state.builtin.load()
    return answer(input, toolsOf(state), state.addedTools)
  },
}

function answer(input: string, tools: readonly OfferedTool[], added: Set<string>): string {
  const [, verb, key] = /^(add|remove)\s+(\S.*)$/.exec(input) ?? []
  if (verb === undefined || key === undefined) return input === '' ? describeTools(tools, added) : usageOf(toolsCommand)
  const entry = tools.find(({ tool }) => toolKey(tool.ref) === key)
  if (entry === undefined) return `There is no tool \`${key}\`. \`/tools\` lists all tools.`
  if (!isOnDemand(entry)) return `\`${key}\` is always offered.`
  if (verb === 'add') added.add(key)
  else added.delete(key)
  return verb === 'add' ? `\`${key}\` is offered from now on.` : `\`${key}\` is no longer offered.`
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
