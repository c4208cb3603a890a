import { toMarkdownCode, toMarkdownText } from '../../base/markdown-text.ts'
import type { Grant } from '../../policy/approval.ts'
import type { ApprovalMode } from '../../policy/approval-mode.ts'
import { shownLimit } from '../../policy/always-allow/grant.ts'
import { isSamePin } from '../../policy/always-allow/definition-pin.ts'
import { toolKey } from '../../tools/select-tools.ts'
import type { SessionPerson } from '../person.ts'
import { factsIn, toolsOf, type Toolbox } from '../toolbox.ts'
import { usageOf, type AnswerCommand } from './command.ts'

export const permissionsCommand: AnswerCommand = {
  type: 'answer',
  name: 'permissions',
  description: 'Show which calls are allowed, asked about or denied, and why',
  async answer({ toolbox, person, record }, input) {
    if (input !== '') return usageOf(permissionsCommand)
    await toolbox.builtin.load()
    const { mode } = record.settings.current
    return [describeMode(mode, person), describeSettings(toolbox), describeGrants(toolbox, person)]
      .filter((part) => part !== '')
      .join('\n\n')
  },
}

const modes = {
  'read-only': 'Only tools that read may run.',
  'always-ask': 'You are asked before every call that nothing below allows.',
  'trusted-only': 'Trusted tools run without a question. You are asked before all others.',
  fenced: 'Edits, and commands in a sandbox, run without a question. You are asked before all others.',
  auto: 'Tools run without a question.',
}

function describeMode(mode: ApprovalMode, { approval }: SessionPerson): string {
  const { reads, trustedTools } = approval
  return [
    `The mode is \`${mode}\`. ${modes[mode]}`,
    reads === 'allow'
      ? "Reading inside the session's directories is allowed."
      : "Reading inside the session's directories is asked about.",
    'Paths outside them, and files that usually hold secrets, are always asked about.',
    trustedTools.length === 0 ? '' : `Trusted: ${trustedTools.map(toMarkdownCode).join(', ')}.`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function describeSettings(toolbox: Toolbox): string {
  const lines = toolsOf(toolbox).flatMap((entry) => {
    const { approval } = factsIn(toolbox, entry)
    return approval === undefined ? [] : [`- ${toMarkdownCode(toolKey(entry.tool.ref))}: ${approval}`]
  })
  return lines.length === 0 ? '' : `**Settings of the agent file**\n${lines.join('\n')}`
}

/** Grants for tools that this session does not have are only counted. */
function describeGrants(toolbox: Toolbox, { gate }: SessionPerson): string {
  const pins = new Map(
    toolsOf(toolbox).map((entry) => [toolKey(entry.tool.ref), factsIn(toolbox, entry).pin]),
  )
  const grants = gate.grants()
  const here = grants.filter(({ ref }) => pins.has(toolKey(ref)))
  const lines = here.map((grant) => {
    const pin = pins.get(toolKey(grant.ref))
    const isOld = pin !== undefined && !isSamePin(pin, grant.pin)
    return `- ${toMarkdownCode(toolKey(grant.ref))}${limitOf(grant)}: ${grant.verdict}, ${grant.scope}${isOld ? ' (the tool has changed since, so you are asked)' : ''}`
  })
  const others = grants.length - here.length
  const rest = others === 0 ? '' : `\n${others} more for tools that this session does not have.`
  if (grants.length === 0) return 'You have given no lasting answers.'
  return `**Your lasting answers**\n${lines.join('\n')}${rest}\n\n\`ostler grants\` lists and revokes the stored ones.`
}

function limitOf(grant: Grant): string {
  const limit = shownLimit(grant)
  return limit === undefined ? '' : ` (${toMarkdownText(limit)})`
}
