import {
  startLoopbackModel,
  type LoopbackModel,
  type ModelPart,
  type ModelRequest,
  type Reply,
  type ScriptedToolCall,
} from '../../support/loopback-model/index.ts'
import { callPrompt } from '../quick/servers.ts'
import { chunkTexts } from '../stream-chunks.ts'
import type { Peer } from './peer.ts'

/** The prompt that is answered with all chunks. */
export const chunkPrompt = 'write the numbered words'

/** The model of an agent: answers, streams or calls a tool as the prompt says. */
export function startScriptedModel({ vendor, search }: Peer): Promise<LoopbackModel> {
  return startLoopbackModel({ vendor, script: (request) => toReply(request, search) })
}

/** A request without tools is side work, such as a title for the session, even if it quotes the prompt. */
export function toReply(
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
  search?: ScriptedToolCall,
): Reply {
  const hello: Reply = { text: ['hello'] }
  const asks = (text: string) =>
    messages.findLastIndex(({ role, parts }) => role === 'user' && JSON.stringify(parts).includes(text))
  const [call, stream] = [asks(callPrompt), asks(chunkPrompt)]
  const answers = messages
    .slice(Math.max(call, stream) + 1)
    .flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
  const isSearch = (part: ModelPart) => part.type === 'tool_call' && part.name === search?.name
  if (tools.length === 0 || call === stream || !answers.every(isSearch)) return hello
  if (stream > call) return { text: chunkTexts }
  // The ids of a conversation differ.
  const id = `call_${messages.length}`
  const tool = tools.find(({ name }) => name.includes('server0'))
  if (tool !== undefined) return { toolCalls: [{ id, name: tool.name, namespace: tool.namespace, args: {} }] }
  return search !== undefined && answers.length === 0 ? { toolCalls: [{ ...search, id }] } : hello
}
