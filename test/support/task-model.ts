import { editorTasks } from './editor-tasks.ts'
import type { ModelPart, ModelRequest, Reply, ScriptedToolCall } from './loopback-model/index.ts'
import { textIn } from './loopback-model/window.ts'

/** A model that needs a tool whose schema it has not read asks for the schema, or calls the tool with arguments that it guesses. */
export type Habit = 'asks' | 'guesses'

/** The prompt of a task. The model finds its task by the number, as its only knowledge besides what a request says. */
export function promptOf(task: number): string {
  return `Task ${task}: ${editorTasks[task]?.prompt ?? ''}`
}

/**
 * Answers a request as a model would that understands the tasks, but knows of each tool only what the request says. It writes arguments only
 * for parameters of a schema that it has read.
 */
export function answerTask(request: ModelRequest, habit: Habit): Reply {
  const start = request.messages.findLastIndex((message) => /^Task \d+:/m.test(textIn(message)))
  const number = Number(/^Task (\d+):/m.exec(textIn(request.messages[start]))?.[1])
  const task = editorTasks[number]
  if (task === undefined) throw new Error('This prompt is not a task.')
  const calls = callsIn(request.messages.slice(start).flatMap(({ parts }) => parts))
  const done: Created[] = []
  for (const { name, result } of calls) {
    const next = task.steps[done.length]
    const created = result?.isError === true ? undefined : toCreated(result?.text)
    if (next !== undefined && name === wireName(next) && created !== undefined) done.push(created)
  }
  const next = task.steps[done.length]
  if (next === undefined) return { text: `Task ${number} is done: ${done.map(({ id }) => id).join(', ')}.` }
  const name = wireName(next)
  const schema = schemaOf(request, name)
  if (schema !== undefined) return call(request, name, argumentsFor(schema, insert(next.args, done)))
  if (habit === 'guesses') return call(request, name, { request: next.need })
  // Its vendor searches during the answer, so the model reads the schema before it calls.
  const deferred = request.tools.find((tool) => tool.name === name)?.inputSchema
  return isSchema(deferred)
    ? {
        searches: [{ query: next.need, found: [name] }],
        ...call(request, name, argumentsFor(deferred, insert(next.args, done))),
      }
    : { toolCalls: [{ name: 'find_tools', args: { query: isNamed(request, name) ? name : next.need } }] }
}

/** True if the request has told the name of the tool. */
function isNamed({ messages }: ModelRequest, name: string): boolean {
  return messages.some((message) => textIn(message).includes(`- ${name}`))
}

interface Created {
  readonly id: string
  readonly number: number
}

function wireName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `${server}__${tool}`
}

/** A tool that the request lists is called as such, any other through `use_tool`, if there is that. */
function call({ tools }: ModelRequest, name: string, args: object): Reply {
  const listed = tools.find((tool) => tool.name === name)
  const hasUse = tools.some((tool) => tool.name === 'use_tool')
  const namespace = listed?.namespace
  const made: ScriptedToolCall =
    listed !== undefined || !hasUse
      ? { name, args, ...(namespace !== undefined && { namespace }) }
      : { name: 'use_tool', args: { tool: name, arguments: args } }
  return { toolCalls: [made] }
}

interface MadeCall {
  readonly name: string
  readonly result: Extract<ModelPart, { type: 'tool_result' }> | undefined
}

function callsIn(parts: readonly ModelPart[]): MadeCall[] {
  return parts.flatMap((part, at): MadeCall[] => {
    if (part.type !== 'tool_call') return []
    // Ids repeat in the formats whose vendors do not give any.
    const result = parts
      .slice(at)
      .find(
        (other): other is NonNullable<MadeCall['result']> =>
          other.type === 'tool_result' && other.id === part.id,
      )
    const { tool } = part.args as { readonly tool?: string }
    return [{ name: part.name === 'use_tool' ? (tool ?? '') : part.name, result }]
  })
}

function toCreated(text = ''): Created | undefined {
  const found = /\{"id":"([\w-]+)","number":(\d+)\}/.exec(text)
  return found === null ? undefined : { id: found[1] ?? '', number: Number(found[2]) }
}

type Schema = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, unknown>> }

/** The schema of a tool as the request tells it: in the list of tools, by the vendor's search, or in a result. */
function schemaOf({ tools, messages }: ModelRequest, name: string): Schema | undefined {
  const parts = messages.flatMap((message) => message.parts)
  const isLoaded = parts.some((part) => part.type === 'search' && part.found?.includes(name))
  const listed = tools.find((tool) => tool.name === name && (isLoaded || tool.isDeferred !== true))
  if (isSchema(listed?.inputSchema)) return listed.inputSchema
  const wrong = callsIn(parts).flatMap((made) => (made.name === name ? plainText(made.result?.text) : []))
  const found = parts.flatMap((part) =>
    'text' in part && part.text.includes(name) ? part.text.slice(part.text.indexOf(name)) : [],
  )
  return [...wrong, ...found].map(schemaIn).find((schema) => schema !== undefined)
}

/** OpenAI's responses have an error in JSON. */
function plainText(text = ''): string {
  const { error } = (tryParse(text) ?? {}) as { readonly error?: unknown }
  return typeof error === 'string' ? error : text
}

/** The first schema in a text, up to the name of the next tool. */
function schemaIn(text: string): Schema | undefined {
  const start = text.indexOf('{')
  const between = text.slice(0, Math.max(0, start))
  if (start === -1 || /\n.*\n.*__/.test(between)) return undefined
  for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1)) {
    const value = tryParse(text.slice(start, end + 1))
    if (value !== undefined) return isSchema(value) ? value : undefined
  }
  return undefined
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'properties' in value
}

function argumentsFor({ properties }: Schema, args: Readonly<Record<string, unknown>>): object {
  for (const name of Object.keys(args))
    if (!(name in properties)) throw new Error(`The schema has no parameter '${name}'.`)
  return args
}

function insert(args: Readonly<Record<string, unknown>>, done: readonly Created[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const reference = /^\$(\d)\.(id|number)$/.exec(String(value))
      const created = done[Number(reference?.[1]) - 1]
      return [name, created === undefined ? value : created[reference?.[2] as keyof Created]]
    }),
  )
}
