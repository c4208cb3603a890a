import { suggest } from '../../base/did-you-mean.ts'
import { toMarkdownText } from '../../base/markdown-text.ts'
import type { McpResource } from '../../mcp/mcp-client.ts'
import { describeResource, listResources } from '../session-resources.ts'
import { enabledClients, type Toolbox } from '../toolbox.ts'
import type { AnswerCommand } from './command.ts'

const shownMax = 100

const resourcesCommand: AnswerCommand = {
  type: 'answer',
  name: 'resources',
  description: 'List the resources of the MCP servers; @server:uri in a prompt adds one',
  hint: '[server]',
  async answer({ toolbox }, input, signal) {
    const clients = withResources(toolbox)
    const wanted = input === '' ? clients : clients.filter(({ name }) => name === input)
    if (wanted.length === 0) {
      const names = clients.map(({ name }) => name)
      const others =
        suggest(input, names) || `; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`
      return toMarkdownText(`No server with resources is named '${input}'${others}`)
    }
    const sections = await Promise.all(
      wanted.map(async (client) => {
        const { resources, templates } = await listResources(client, signal)
        const lines = [...toLines(resources), ...toLines(templates, 'template: ')]
        return [
          `**${toMarkdownText(client.name)}**`,
          ...(lines.length === 0 ? ['- no resources'] : lines),
        ].join('\n')
      }),
    )
    return sections.join('\n\n')
  },
}

export function resourceCommands(toolbox: Toolbox): readonly AnswerCommand[] {
  return withResources(toolbox).length === 0 ? [] : [resourcesCommand]
}

function withResources(toolbox: Toolbox) {
  return [...enabledClients(toolbox).values()].filter(({ hasResources }) => hasResources)
}

function toLines(resources: readonly McpResource[], label = ''): string[] {
  const left = resources.length - shownMax
  const lines = resources
    .slice(0, shownMax)
    .map((resource) => `- ${label}${toMarkdownText(describeResource(resource))}`)
  return left > 0 ? [...lines, `- and ${left} more`] : lines
}
