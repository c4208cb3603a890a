import { OstlerError } from '../base/errors.ts'
import { createMessageId, createToolCallId } from '../base/ids.ts'
import type { McpSampling, McpSamplingAnswer } from '../mcp/mcp-client.ts'
import { createConversation } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import { errorResult, textResult, type Tool, type ToolResult } from '../messages/tool.ts'
import type { CallMembrane } from '../tools/call-membrane.ts'
import { offerOwn, type OfferedTool, type ServerHome } from '../tools/offered-tool.ts'
import { toTitleLine } from '../tools/tool-title.ts'
import type { PreparedCall } from '../turn/prepare-call.ts'
import { runPrepared } from '../turn/run-tool-call.ts'
import { streamStep } from '../turn/stream-step.ts'
import type { CallPorts, Turn } from '../turn/turn.ts'

const denial = 'The person did not allow the server to use the model.'

/** Using the person's model costs the person's money: it passes the gate like a call, and the model gets no tools. */
export async function sampleModel(
  turn: Turn,
  { client, owner }: Pick<ServerHome, 'client' | 'owner'>,
  request: McpSampling,
  budget: SamplingBudget,
  signal: AbortSignal,
): Promise<McpSamplingAnswer> {
  let answer: Promise<McpSamplingAnswer> | undefined
  const { usedUp, spend, renew } = budget(request.server, turn)
  const offered = samplingTool({ type: 'server', client, owner }, async (stop) => {
    if (usedUp !== undefined) renew()
    answer = askModel(turn, request, stop, spend)
    const { text } = await answer
    return textResult(text)
  })
  const inspected = turn.tools.inspect(offered)
  // A grant that is given here is for this server and this purpose. Unlike Ostler's other tools, this one needs approval. When the budget
  // is used up, the person is asked again, whatever they allowed before.
  const facts = { ...inspected.facts, isInternal: false, approval: usedUp && ('ask' as const) }
  const ports: CallPorts = {
    ...turn,
    tools: {
      ...turn.tools,
      confirm: () => Promise.resolve({ offered }),
      inspect: () => ({ ...inspected, inputSchema: undefined, facts, siblings: () => [facts] }),
    },
  }
  await runPrepared(ports, toCall(offered, request, usedUp, turn.membrane), signal)
  if (answer === undefined) throw new OstlerError('mcp.sampling_denied', denial)
  return answer
}

function toCall(
  offered: OfferedTool,
  request: McpSampling,
  usedUp: Spent | undefined,
  membrane: CallMembrane,
): PreparedCall {
  const { ref } = offered.tool
  const args = {
    systemPrompt: request.systemPrompt,
    messages: request.messages,
    maxTokens: request.maxTokens,
  }
  const again =
    usedUp === undefined ? '' : ` again, after ${usedUp.requests} requests and ${usedUp.tokens} tokens`
  const call = { type: 'tool_call', id: createToolCallId(), wireName: ref.tool, input: '' } as const
  const view = {
    ...membrane.view(call, offered.tool, args),
    title: toTitleLine(`${request.server}: wants to use your model${again}`),
  }
  return { kind: 'ready', view, offered, args, denial }
}

async function askModel(
  turn: Turn,
  request: McpSampling,
  signal: AbortSignal,
  onSpent: (tokens: number) => void,
): Promise<McpSamplingAnswer> {
  const { temperature, stopSequences } = request
  const quiet: Turn = {
    ...turn,
    project: { ...turn.project, systemPrompt: () => request.systemPrompt ?? '' },
    conversation: createConversation({ messages: request.messages.map(toMessage) }),
    // This request does not fill the window of the session's own conversation.
    usage: {
      ...turn.usage,
      add(usage, estimate, answerTokens) {
        turn.usage.addSide(usage)
        onSpent((usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? answerTokens))
      },
    },
    settings: {
      ...turn.settings,
      sampling: {
        temperature,
        ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      },
      // Thoughts would count towards the limit.
      thoughtLevel: 'off',
      outputTokensMax: request.maxTokens,
    },
    emit: () => Promise.resolve(),
  }
  const reply = await streamStep(quiet, { wireTools: [], tokens: 0, find: () => undefined }, signal)
  if (reply.stopReason === 'cancelled') throw new OstlerError('mcp.cancelled', 'The turn was cancelled.')
  const text = reply.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return {
    model: turn.model.id,
    text,
    stopReason: reply.stopReason === 'max_tokens' ? 'maxTokens' : 'endTurn',
  }
}

/** Stored grants are bound to this description, to this schema, and to the server. */
function samplingTool(home: ServerHome, ask: (signal: AbortSignal) => Promise<ToolResult>): OfferedTool {
  const tool: Tool = {
    ref: { server: home.client.name, tool: 'sampling' },
    description: 'Asks the model of the person',
    inputSchema: {},
    kind: 'think',
    isInternal: true,
    execute: (_args, { signal }) =>
      ask(signal).catch((error: unknown) =>
        errorResult(error instanceof OstlerError ? error.message : 'The model could not be asked.'),
      ),
  }
  return offerOwn(tool, home)
}

function toMessage({ role, content }: McpSampling['messages'][number]): Message {
  if (role === 'user') return { role, id: createMessageId(), content }
  return {
    role,
    id: createMessageId(),
    parts: content.flatMap((block) => (block.type === 'text' ? [{ type: 'text', text: block.text }] : [])),
  }
}

/** When a server has used up one of these, for one prompt or for the session, the person is asked again. */
const promptMax: Spent = { requests: 10, tokens: 50_000 }
const sessionMax: Spent = { requests: 50, tokens: 200_000 }

interface Spent {
  readonly requests: number
  readonly tokens: number
}

const nothing: Spent = { requests: 0, tokens: 0 }

export type SamplingBudget = ReturnType<typeof createSamplingBudget>

/** Counts a request that a server is about to make. */
export function createSamplingBudget() {
  const session = new Map<string, Spent>()
  const prompts = new WeakMap<Turn, Map<string, Spent>>()

  return (server: string, turn: Turn) => {
    const prompt = prompts.get(turn) ?? new Map<string, Spent>()
    prompts.set(turn, prompt)
    const [ofPrompt, ofSession] = [prompt.get(server) ?? nothing, session.get(server) ?? nothing]
    const add = (requests: number, tokens: number) => {
      for (const spent of [session, prompt]) {
        const before = spent.get(server) ?? nothing
        spent.set(server, { requests: before.requests + requests, tokens: before.tokens + tokens })
      }
    }
    add(1, 0)
    return {
      /** The amount spent so far, if the person must be asked again. */
      usedUp: isUsedUp(ofPrompt, promptMax)
        ? ofPrompt
        : isUsedUp(ofSession, sessionMax)
          ? ofSession
          : undefined,
      spend: (tokens: number) => add(0, tokens),
      /** The person has agreed to more. */
      renew() {
        for (const spent of [session, prompt]) spent.set(server, { requests: 1, tokens: 0 })
      },
    }
  }
}

function isUsedUp(spent: Spent, max: Spent): boolean {
  return spent.requests >= max.requests || spent.tokens >= max.tokens
}
