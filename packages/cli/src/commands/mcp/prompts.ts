import { styleText } from 'node:util'
import { OstlerError, type McpClient } from '@ostler/agent-api'
import { toPlainText, type McpPromptDefinition, type McpPromptResult } from '@ostler/agent-api/internal'
import { defineCommand, usageError } from '../../command-line/command.ts'
import { formatList, headerOf, print, type Cell } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { toSummary } from './tool-rows.ts'
import { serverFlags, withServer } from './with-servers.ts'

const suggestionsMax = 20

export const command = defineCommand({
  synopsis: ['NAME [options]', 'NAME PROMPT [KEY=VALUE...] [options]'],
  about: 'Lists the prompts of a server. With PROMPT, prints that prompt.',
  flags: serverFlags,
  words: ['server', 'nothing'],
  async run(io, { values, words }) {
    const [name, prompt, ...pairs] = words
    if (name === undefined) throw usageError('prompts needs the name of one server')
    const promptArguments = Object.fromEntries(pairs.map(parsePair))
    if (prompt === undefined)
      return withServer(
        io,
        values,
        name,
        ({ client }) => client.prompts,
        (prompts) => print(io, values, { prompts }, () => formatList(toRows(prompts), 'No prompts.')),
      )
    return withServer(
      io,
      values,
      name,
      async ({ client }, { signal }) => {
        await requireArguments(client, prompt, promptArguments, signal)
        return client.getPrompt(prompt, promptArguments, { signal })
      },
      (filled) => print(io, values, filled, formatMessages),
    )
  },
})

/** Names the missing arguments, with the values that the server suggests. */
async function requireArguments(
  client: McpClient,
  prompt: string,
  known: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const definition = client.prompts.find((each) => each.name === prompt)
  const missing =
    definition?.arguments.filter(({ name, required }) => required && !Object.hasOwn(known, name)) ?? []
  if (missing.length === 0) return
  const described = await Promise.all(
    missing.map(async ({ name }) => {
      const request = { prompt, argument: name, value: '', known }
      const { values } = await client.complete(request, { signal }).catch(() => ({ values: [] }))
      return values.length === 0 ? name : `${name} (${values.slice(0, suggestionsMax).join(', ')})`
    }),
  )
  throw new OstlerError(
    'prompt.arguments_missing',
    `The prompt '${prompt}' needs: ${described.join('; ')}. Add KEY=VALUE for each.`,
  )
}

function parsePair(pair: string): [string, string] {
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(pair) ?? []
  if (key === undefined || value === undefined) throw usageError(`'${pair}' must have the form KEY=VALUE`)
  return [key, value]
}

function toRows(prompts: readonly McpPromptDefinition[]): Cell[][] {
  const header = headerOf('PROMPT', 'ARGUMENTS', 'DESCRIPTION')
  const rows = prompts.map(({ name, arguments: all, title, description }): Cell[] => [
    name,
    all.map((argument) => (argument.required ? argument.name : `${argument.name}?`)).join(' '),
    toSummary(title, description),
  ])
  return [header, ...rows]
}

function formatMessages({ messages }: McpPromptResult): string {
  return messages
    .map(({ role, content }) => `${styleText('bold', role)}\n${toShown(toPlainText(content)).trim()}`)
    .join('\n\n')
}
