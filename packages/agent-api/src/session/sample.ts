import { OstlerError } from '../base/errors.ts'
import type { CallEnd } from '../history/call.ts'
import { createMessageId, createToolCallId } from '../base/ids.ts'
import type { McpSampling, McpSamplingAnswer } from '../mcp/mcp-client.ts'
import { createConversation } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import type { CallFacts } from '../policy/approval.ts'
import { pinOf } from '../policy/pin.ts'
import type { Turn } from '../turn/turn.ts'
import { streamStep } from '../turn/stream-step.ts'
import { createToolSet } from '../tools/tool-set.ts'
import { errorResult, textResult, type Tool, type ToolRef } from '../messages/tool.ts'

/** A server asks to use the person's model. That costs the person's money, so it passes the gate like a call, and it is offered no tools. */
export async function sampleModel(turn: Turn, request: McpSampling, signal: AbortSignal): Promise<McpSamplingAnswer> {
  const ref = { server: request.server, tool: 'sampling' }
  const args = { systemPrompt: request.systemPrompt, messages: request.messages, maxTokens: request.maxTokens }
  const call = {
    id: createToolCallId(),
    ref,
    wireName: 'sampling',
    title: `${request.server}: asks your model`,
    kind: 'think' as const,
    rawInput: args,
    locations: [],
  }
  // Bound to what is asked for: an "always" given here is for this server and this purpose.
  const facts: CallFacts = { ref, pin: pinOf(samplingTool(ref), { type: 'local' }), isInternal: false, isTrustedRead: false }
  const record = await turn.calls.start({ id: call.id, server: ref.server, tool: ref.tool, arguments: args })
  let end: CallEnd = 'error'
  let result = errorResult('The model could not be asked.')
  try {
    await turn.emit({ type: 'tool_call', call })
    const answer = await turn.gate.pass({ call, ref, args, facts, siblings: () => [facts] }, signal)
    record.decided(answer.verdict, answer.rule)
    if (answer.verdict !== 'allow') {
      end = answer.verdict === 'deny' ? 'denied' : 'cancelled'
      throw new OstlerError('mcp.sampling_denied', 'The person did not allow the server to use the model.')
    }
    record.running()
    await turn.emit({ type: 'tool_call_update', id: call.id, update: { status: 'in_progress' } })
    const sampled = await askModel(turn, request, signal)
    end = 'success'
    result = textResult(sampled.text)
    return sampled
  } catch (error) {
    if (signal.aborted) end = 'cancelled'
    if (error instanceof OstlerError) result = errorResult(error.message)
    throw error
  } finally {
    record.ended(end, result)
    const status = end === 'success' ? 'completed' : 'failed'
    await turn.emit({ type: 'tool_call_update', id: call.id, update: { status, end, content: result.content } })
  }
}

async function askModel(turn: Turn, request: McpSampling, signal: AbortSignal): Promise<McpSamplingAnswer> {
  const quiet: Turn = {
    ...turn,
    systemPrompt: () => request.systemPrompt ?? '',
    conversation: createConversation(request.messages.map(toMessage), () => undefined),
    outputTokensMax: request.maxTokens,
    emit: () => Promise.resolve(),
  }
  const reply = await streamStep(quiet, createToolSet([]), signal)
  if (reply.stopReason === 'cancelled') throw new OstlerError('mcp.cancelled', 'The turn was cancelled.')
  const text = reply.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { model: turn.model.id, text, stopReason: reply.stopReason === 'max_tokens' ? 'maxTokens' : 'endTurn' }
}

function samplingTool(ref: ToolRef): Tool {
  return {
    ref,
    description: 'Asks the model of the person',
    inputSchema: {},
    kind: 'think',
    execute: () => Promise.resolve(errorResult('not a tool')),
  }
}

function toMessage({ role, content }: McpSampling['messages'][number]): Message {
  if (role === 'user') return { role, id: createMessageId(), content }
  return {
    role,
    id: createMessageId(),
    parts: content.flatMap((block) => (block.type === 'text' ? [{ type: 'text', text: block.text }] : [])),
  }
}
