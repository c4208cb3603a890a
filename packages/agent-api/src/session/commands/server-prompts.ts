import { OstlerError } from '../../base/errors.ts'
import { createMessageId } from '../../base/ids.ts'
import type { McpClient, McpPromptDefinition } from '../../mcp/mcp-client.ts'
import { embeddedIcons } from '../../messages/tool.ts'
import { definitionKey } from '../../policy/definition-key.ts'
import type { Message } from '../../messages/message.ts'
import { askArguments } from '../ask-arguments.ts'
import type { SessionPerson } from '../person.ts'
import { enabledServers, policyOf, type Toolbox } from '../toolbox.ts'
import { usageOf, type PromptCommand } from './command.ts'

export function serverPrompts(toolbox: Toolbox, person: SessionPerson): PromptCommand[] {
  return enabledServers(toolbox).flatMap((server) => {
    const { client } = server
    const chosen = policyOf(toolbox, server)?.prompts
    return client.prompts
      .filter(({ name }) => chosen?.includes(name) !== false)
      .map((prompt) => toCommand(client, prompt, person))
  })
}

function toCommand(client: McpClient, prompt: McpPromptDefinition, person: SessionPerson): PromptCommand {
  const command: PromptCommand = {
    type: 'prompt',
    name: `${client.name}:${prompt.name}`.replace(/\s+/g, '_'),
    description: prompt.description ?? prompt.title ?? `A prompt of the server '${client.name}'`,
    hint:
      prompt.arguments.length === 0
        ? undefined
        : prompt.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
    icons: embeddedIcons(prompt.icons),
    async toMessages(input, signal) {
      // A server that is asleep shows only then what it has changed.
      await person.startConsent.use(client, signal)
      const problem = await person.definitions.check(client, definitionKey('prompt', prompt), signal)
      if (problem !== undefined) throw new OstlerError('prompt.changed', problem)
      const now = client.prompts.find(({ name }) => name === prompt.name) ?? prompt
      const given = toPromptArguments(now, input)
      const args =
        missingIn(now, given).length === 0 ? given : await askArguments(person, client, now, given, signal)
      const missing = missingIn(now, args)
      if (missing.length > 0)
        throw new OstlerError(
          'prompt.arguments_missing',
          `This command needs: ${missing.join(', ')}. ${usageOf(command)}`,
        )
      const { messages } = await client.getPrompt(prompt.name, args, { signal })
      return messages.map(({ role, content }): Message => {
        // A model cannot send an image or a file, but it can read one.
        if (role === 'user' || content.type !== 'text')
          return { role: 'user', id: createMessageId(), content: [content] }
        return { role, id: createMessageId(), parts: [content] }
      })
    },
  }
  return command
}

function missingIn(
  { arguments: all }: McpPromptDefinition,
  args: Readonly<Record<string, string>>,
): string[] {
  return all.filter(({ name, required }) => required && !Object.hasOwn(args, name)).map(({ name }) => name)
}

/** Assigns `name=value` pairs first, then the other words in order. The last argument takes the rest of the line. */
export function toPromptArguments(prompt: McpPromptDefinition, input: string): Record<string, string> {
  const args: Record<string, string> = {}
  const words = input.match(/[\w.-]+="[^"]*"|"[^"]*"|\S+/g) ?? []
  const rest = words.filter((word) => {
    const [, name, value] = /^([\w.-]+)=([^]*)$/.exec(word) ?? []
    if (
      name === undefined ||
      value === undefined ||
      !prompt.arguments.some((argument) => argument.name === name)
    )
      return true
    args[name] = unquote(value)
    return false
  })
  const open = prompt.arguments.filter(({ name }) => !Object.hasOwn(args, name))
  for (const [index, { name }] of open.entries()) {
    if (rest.length === 0) break
    const value =
      index === open.length - 1 ? rest.splice(0).map(unquote).join(' ') : unquote(rest.shift() ?? '')
    args[name] = value
  }
  return args
}

function unquote(word: string): string {
  return /^"[^"]*"$/.test(word) ? word.slice(1, -1) : word
}
