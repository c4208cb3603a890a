import { styleText } from 'node:util'
import { toPlainText, type McpPromptDefinition, type McpPromptResult } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { formatTable, toShown, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpPromptsCommand } from '../specs/mcp-connected.ts'
import { withServer } from './connect.ts'
import { toSummary } from './tools.ts'
import { withService } from './with-service.ts'

export async function runMcpPrompts(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpPromptsCommand, args)
  if (line === undefined) return 0
  const [name, prompt, ...pairs] = line.words
  if (name === undefined) throw usageError(mcpPromptsCommand, 'prompts needs the name of one server')
  const values = Object.fromEntries(pairs.map(parsePair))
  return withService(line.values, async (service, signal) => {
    if (prompt !== undefined) {
      const filled = await withServer(service, name, ({ id }) => service.getPrompt(id, prompt, values, { signal }))
      if (line.values.json) printJson(filled)
      else process.stdout.write(formatMessages(filled))
      return 0
    }
    const prompts = await withServer(service, name, ({ id }) => service.listPrompts(id, { signal }))
    if (line.values.json) printJson({ prompts })
    else process.stdout.write(prompts.length === 0 ? 'It offers no prompts.\n' : `${formatTable(toRows(prompts))}\n`)
    return 0
  })
}

function parsePair(pair: string): [string, string] {
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(pair) ?? []
  if (key === undefined || value === undefined) throw usageError(mcpPromptsCommand, `'${pair}' is not like KEY=VALUE`)
  return [key, value]
}

function toRows(prompts: readonly McpPromptDefinition[]): Cell[][] {
  const header = ['PROMPT', 'ARGUMENTS', 'DESCRIPTION'].map((text): Cell => ({ text, style: 'bold' }))
  const rows = prompts.map(({ name, arguments: all, title, description }): Cell[] => [
    name,
    all.map((argument) => (argument.required ? argument.name : `${argument.name}?`)).join(' '),
    toSummary(title, description),
  ])
  return [header, ...rows]
}

function formatMessages({ messages }: McpPromptResult): string {
  return `${messages.map(({ role, content }) => `${styleText('bold', role)}\n${toShown(toPlainText(content)).trim()}`).join('\n\n')}\n`
}
