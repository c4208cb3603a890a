import { describeSizes } from '../../messages/tool-size.ts'
import { suggest } from '../../base/did-you-mean.ts'
import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import type { Tool } from '../../messages/tool.ts'
import type { CallFacts } from '../../policy/approval.ts'
import { builtinEffects, isBuiltin } from '../../workspace/builtin-tools.ts'
import type { OfferedTool } from '../../tools/offered-tool.ts'
import { cutText, firstSentence } from '../../tools/list-waiting.ts'
import { toolKey } from '../../tools/select-tools.ts'
import type { Gate } from '../../policy/gate.ts'
import { clientsOf, factsIn, toolsOf, type Toolbox } from '../toolbox.ts'
import type { SizesByServer } from '../tool-sizes.ts'
import { usageOf, type AnswerCommand } from './command.ts'
import { toMarkdownTable } from './markdown-table.ts'

const listedToolsMax = 60
const summaryCharsMax = 80
const ownGroup = 'Ostler'

export const toolsCommand: AnswerCommand = {
  type: 'answer',
  name: 'tools',
  description: 'Show the tools of this session or of one server; add or remove one, or switch it off or on',
  hint: '[server | add server:tool | remove server:tool | off server:tool | on server:tool]',
  async answer({ toolbox, person }, input) {
    await toolbox.builtin.load()
    const tools = toolsOf(toolbox)
    const [, verb, key] = /^(add|remove|on|off)(?:\s+(\S.*))?$/.exec(input) ?? []
    if (verb !== undefined)
      return key === undefined ? usageOf(toolsCommand) : change(verb, key, tools, toolbox)
    if (tools.length === 0) return 'This session has no tools.'
    const { sizesOf } = await import('../tool-sizes.ts')
    const shown = { toolbox, gate: person.gate, sizes: await sizesOf(toolbox, tools) }
    const groups = Map.groupBy(tools, ({ tool }) => tool.ref.server ?? ownGroup)
    if (input === '')
      return tools.length > listedToolsMax ? countTools(shown, groups) : listTools(shown, groups)
    const group = groups.get(input)
    if (group !== undefined) return listTools(shown, new Map([[input, group]]))
    return `${toMarkdownText(`There is no server '${input}' with tools${suggest(input, [...groups.keys()]) || '.'}`)} ${usageOf(toolsCommand)}`
  },
}

async function change(
  verb: string,
  key: string,
  tools: readonly OfferedTool[],
  toolbox: Toolbox,
): Promise<string> {
  const { added } = toolbox
  const entry = tools.find(({ tool }) => toolKey(tool.ref) === key)
  if (entry === undefined)
    return clientsOf(toolbox).has(key)
      ? `${toMarkdownCode(key)} is a server. ${toMarkdownCode(`/tools ${verb} ${key}:NAME`)} is about one of its tools; ${toMarkdownCode(`/mcp disable ${key}`)} leaves out all of them in this session.`
      : `There is no tool ${toMarkdownCode(key)}. \`/tools\` lists all tools.`
  if (verb === 'on' || verb === 'off') return switchTool(verb === 'off', key, entry, toolbox)
  if (factsIn(toolbox, entry).approval === 'deny')
    return `\`${key}\` is denied by the agent file, so it is not offered.`
  if (!isOnDemand(entry)) return `\`${key}\` is always offered.`
  if (verb === 'add') added.add(key)
  else added.delete(key)
  return verb === 'add' ? `\`${key}\` is offered from now on.` : `\`${key}\` is no longer offered.`
}

async function switchTool(
  isOff: boolean,
  key: string,
  entry: OfferedTool,
  { off }: Toolbox,
): Promise<string> {
  const { home, tool } = entry
  const name = toMarkdownCode(key)
  if (home.type === 'local') return `${name} is not a tool of a server. Switch it off in the agent file.`
  const word = isOff ? 'off' : 'on'
  if (off.has(entry) === isOff) return `${name} is already switched ${word}.`
  await off.set({ tool, home }, isOff)
  if (!isOff) return `${name} is switched on again.`
  return `${name} is switched off in this folder: no model is offered it, and no call of it runs. ${toMarkdownCode(`/tools on ${key}`)} switches it on.`
}

interface Shown {
  readonly toolbox: Toolbox
  readonly gate: Gate
  readonly sizes: SizesByServer
}

type Groups = ReadonlyMap<string, readonly OfferedTool[]>

function listTools(shown: Shown, groups: Groups): string {
  return [...groups]
    .map(([server, members]) => {
      const rows = members.map((entry) => [
        { code: entry.tool.ref.tool },
        stateOf(shown, entry),
        sizeOf(shown, [entry]),
        summaryOf(entry.tool),
      ])
      const facts = [members.length, sizeOf(shown, members)].filter((fact) => fact !== '').join('; ')
      return `**${toMarkdownText(server)}** (${facts})\n\n${toMarkdownTable(['tool', 'calls', 'size', 'description'], rows)}`
    })
    .join('\n\n')
}

function countTools(shown: Shown, groups: Groups): string {
  const rows = [...groups].map(([server, members]) => {
    const verdicts = Object.entries(Object.groupBy(members, (entry) => verdictOf(shown, entry)))
    return [
      server,
      String(members.length),
      verdicts.map(([verdict, same]) => `${same?.length ?? 0} ${verdict}`).join(', '),
      sizeOf(shown, members),
    ]
  })
  const usage = `Too many to list at once: \`/tools server\` lists those of one server.`
  return `${toMarkdownTable(['server', 'tools', 'calls', 'size'], rows)}\n\n${usage}`
}

/** Empty for tools that are not in the requests. */
function sizeOf({ sizes }: Shown, entries: readonly OfferedTool[]): string {
  const known = entries.flatMap(({ tool: { ref } }) => sizes.get(ref.server)?.get(ref.tool) ?? [])
  return known.length === 0 ? '' : describeSizes(known)
}

function stateOf(shown: Shown, entry: OfferedTool): string {
  const verdict = verdictOf(shown, entry)
  if (!isOnDemand(entry) || verdict === verdicts.deny || verdict === verdicts.off) return verdict
  if (shown.toolbox.added.has(toolKey(entry.tool.ref))) return `${verdict}, added`
  return entry.config.include.value === 'manual'
    ? `${verdict}, not added`
    : `${verdict}, offered when it fits`
}

const verdicts = { allow: 'allowed', ask: 'asked', deny: 'denied', off: 'switched off' }

/**
 * The verdict on a usual call. For a built-in tool, the arguments decide, so a single call may get another
 * verdict.
 */
function verdictOf({ toolbox, gate }: Shown, entry: OfferedTool): string {
  if (toolbox.off.has(entry)) return verdicts.off
  const facts = factsIn(toolbox, entry)
  return verdicts[
    gate.decide(entry.tool.plan === undefined ? facts : { ...facts, plan: usualPlan(entry.tool) }).verdict
  ]
}

function usualPlan({ ref }: Tool): CallFacts['plan'] {
  return {
    effect: isBuiltin(ref.tool) ? builtinEffects[ref.tool] : 'none',
  }
}

function summaryOf({ title, description }: Tool): string {
  return cutText(firstSentence(description) || (title ?? ''), summaryCharsMax)
}

function isOnDemand({ config, home }: OfferedTool): boolean {
  return home.type === 'server' && home.owner === 'agent' && config.include.value !== 'always'
}
