import { styleText } from 'node:util'
import { toPlainText } from '@ostler/agent-api/internal'
import type { McpPromptDefinition, McpPromptResult } from '@ostler/agent-api/manage'
import { defineCommand } from '../../command-line/command.ts'
import { placeFlags } from './server-flags.ts'
import { jsonFlag } from '../../command-line/shared-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { formatTable, toShown, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'
import { withServer } from './connect.ts'
import { toSummary } from './tool-rows.ts'
import { withService } from './with-service.ts'

export const command = defineCommand({
  synopsis: ['NAME [options]', 'NAME PROMPT [KEY=VALUE...] [options]'],
  about: 'Lists the prompts of a server. With PROMPT, prints that prompt.',
  flags: { json: jsonFlag, ...placeFlags },
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const [name, prompt, ...pairs] = words
    if (name === undefined) throw usageError('prompts needs the name of one server')
    const promptArguments = Object.fromEntries(pairs.map(parsePair))
    return withService(io, values, async (service, signal) => {
      if (prompt !== undefined) {
        const filled = await withServer(io, service, name, ({ id }) => service.getPrompt(id, prompt, promptArguments, { signal }))
        if (values.json) printJson(io, filled)
        else io.stdout.write(formatMessages(filled))
        return 0
      }
      const prompts = await withServer(io, service, name, ({ id }) => service.listPrompts(id, { signal }))
      if (values.json) printJson(io, { prompts })
      else io.stdout.write(prompts.length === 0 ? 'No prompts.\n' : `${formatTable(toRows(prompts))}\n`)
      return 0
    })
  },
})

function parsePair(pair: string): [string, string] {
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(pair) ?? []
  if (key === undefined || value === undefined) throw usageError(`'${pair}' must have the form KEY=VALUE`)
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
