import type { McpClient, McpPromptDefinition, McpSuggestions } from '../mcp/mcp-client.ts'
import type { JsonSchema } from '../messages/tool.ts'
import type { SessionPerson } from './person.ts'

type PromptArguments = Readonly<Record<string, string>>

/** Completion is a convenience, so a form does not wait long for it. */
const suggestionsMsMax = 2_000
const choicesMax = 50
const examplesMax = 5

/** Asks the person for the arguments of a prompt that are not given yet. Returns the given ones alone if that is not possible. */
export async function askArguments(
  { ask, seesForms }: SessionPerson,
  client: McpClient,
  prompt: McpPromptDefinition,
  given: PromptArguments,
  signal: AbortSignal,
): Promise<PromptArguments> {
  if (ask === undefined || !seesForms) return given
  const open = prompt.arguments.filter(({ name }) => !Object.hasOwn(given, name))
  const stop = AbortSignal.any([signal, AbortSignal.timeout(suggestionsMsMax)])
  const suggestions = await Promise.all(
    open.map(({ name }) =>
      client
        .complete({ prompt: prompt.name, argument: name, value: '', known: given }, { signal: stop })
        .catch(() => none),
    ),
  )
  const schema = toFormSchema(open, suggestions)
  const message = `What should its prompt '${prompt.title ?? prompt.name}' use?`
  const answer = await ask({ kind: 'form', server: client.name, message, schema }, signal)
  if (answer.verdict !== 'allow') return given
  const values = open.flatMap(({ name }) => {
    const value = answer.values?.[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return { ...given, ...Object.fromEntries(values) }
}

const none: McpSuggestions = { values: [], hasMore: false }

function toFormSchema(
  open: McpPromptDefinition['arguments'],
  suggestions: readonly McpSuggestions[],
): JsonSchema {
  const fields = open.map(
    ({ name, description }, index) => [name, toField(name, description, suggestions[index] ?? none)] as const,
  )
  const required = open.filter((argument) => argument.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(fields), required }
}

function toField(
  name: string,
  description: string | undefined,
  { values, hasMore }: McpSuggestions,
): JsonSchema {
  const isChoice = values.length > 0 && values.length <= choicesMax && !hasMore
  const examples =
    isChoice || values.length === 0 ? '' : `For example: ${values.slice(0, examplesMax).join(', ')}`
  const text = [description ?? '', examples].filter((part) => part !== '').join('. ')
  return {
    type: 'string',
    title: name,
    ...(text !== '' && { description: text }),
    ...(isChoice && { enum: [...values] }),
  }
}
