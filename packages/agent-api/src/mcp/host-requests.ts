import {
  ProtocolError,
  type Client,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type ElicitRequestParams,
} from '@modelcontextprotocol/client'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mapInSlices } from '../base/in-slices.ts'
import { isRecord } from '../base/is-record.ts'
import { createListeners } from '../base/listeners.ts'
import type { Logger } from '../base/logger.ts'
import { messageOf } from '../base/errors.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { Answer } from '../messages/question.ts'
import type { JsonSchema } from '../messages/tool.ts'
import { cleanListed, hasHidden } from './clean-listed.ts'
import { cleanMessage, cleanText, readTextCharsMax, schemaFault } from './sanitize.ts'
import type { ElicitMode, McpHost } from './mcp-client.ts'
import { toElicitationId, webUrl, type NeededPage } from './needed-pages.ts'

const openQuestionsMax = 8
const stopSequencesMax = 4
const stopSequenceCharsMax = 200
const samplingMessagesMax = 1_000
const userRejected = -1
const internalError = -32603
const invalidParams = -32602

const cancelled = { action: 'cancel' as const }

export function hostCapabilities(host: McpHost): ClientCapabilities {
  return {
    // Roots are declared only if there are any: some servers deny all access if the list is empty.
    ...(host.roots.length > 0 && { roots: {} }),
    ...(questionModes(host).length > 0 && {
      elicitation: Object.fromEntries(questionModes(host).map((mode) => [mode, {}])),
    }),
    ...(host.sample !== undefined && { sampling: {} }),
  }
}

function questionModes({ elicit, elicitModes = ['form', 'url'] }: McpHost): readonly ElicitMode[] {
  return elicit === undefined ? [] : elicitModes
}

/** True for a kind of question that the server was told is unsupported. */
export function isUnaskable(host: McpHost, params: unknown): boolean {
  return !questionModes(host).includes(isRecord(params) && params['mode'] === 'url' ? 'url' : 'form')
}

/** The open questions of a server. While a person answers one, no call of that server times out. */
export type OpenQuestions = ReturnType<typeof answerHostRequests>

/** Answers a server's requests. Anything unclear is refused. */
export function answerHostRequests(
  client: Client,
  server: string,
  host: McpHost,
  logger: Logger,
  redactor: Redactor,
) {
  const questions = createQuestionCounter(logger)
  const { ask } = questions
  const asking: Asking = { server, ask, redactor, logger }
  const { elicit, sample, roots } = host
  if (roots.length > 0) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
    }))
  }
  if (elicit !== undefined && questionModes(host).length > 0) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      answerElicitation(elicit, params, mcpReq.signal, asking),
    )
  }
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      answerSampling(sample, params, mcpReq.signal, asking),
    )
  }

  return {
    get count(): number {
      return questions.count
    },
    /** Asks the person to visit a page that a call needs. False unless the person agrees. */
    async openPage(page: NeededPage, signal: AbortSignal): Promise<boolean> {
      if (elicit === undefined || !questionModes(host).includes('url')) return false
      try {
        return (
          (await ask(signal, (stop) => elicit({ kind: 'page', server, ...page }, stop))).verdict === 'allow'
        )
      } catch (error) {
        logger.debug(`MCP server ${server}: a page was not opened`, { error: messageOf(error) })
        return false
      }
    },
    cancel: questions.cancel,
    onChange: questions.onChange,
  }
}

interface Asking {
  readonly server: string
  readonly ask: ReturnType<typeof createQuestionCounter>['ask']
  readonly redactor: Redactor
  readonly logger: Logger
}

function createQuestionCounter(logger: Logger) {
  const listeners = createListeners('the questions of a server', logger)
  let count = 0
  let open = new AbortController()
  return {
    get count() {
      return count
    },
    async ask<T>(asked: AbortSignal, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (count >= openQuestionsMax) throw new ProtocolError(internalError, 'too many questions are open')
      count++
      listeners.tell()
      try {
        return await question(AbortSignal.any([asked, open.signal]))
      } finally {
        count--
        listeners.tell()
      }
    },
    cancel() {
      if (count === 0) return
      open.abort()
      open = new AbortController()
    },
    onChange: listeners.add,
  }
}

async function answerElicitation(
  elicit: NonNullable<McpHost['elicit']>,
  params: ElicitRequestParams,
  asked: AbortSignal,
  { server, ask, redactor, logger }: Asking,
) {
  try {
    refuseLong(params.message)
    const message = cleanText(params.message, redactor)
    if (params.mode !== 'url') {
      const fault = schemaFault(params.requestedSchema)
      if (fault !== undefined) throw new Error(`its form ${fault}`)
      const schema = cleanListed(params.requestedSchema, redactor) as JsonSchema
      // The answer could not repeat the hidden characters.
      if (hasHidden(schema)) return cancelled
      return toElicitResult(
        await ask(asked, (signal) => elicit({ kind: 'form', server, message, schema }, signal)),
      )
    }
    const url = webUrl(params.url)
    // A redacted URL would lead to another page.
    if (url === undefined || redactor.redact(url) !== url) return cancelled
    const elicitationId = toElicitationId(params.elicitationId)
    return toElicitResult(
      await ask(asked, (signal) => elicit({ kind: 'page', server, message, url, elicitationId }, signal)),
    )
  } catch (error) {
    logger.debug(`MCP server ${server}: a question was not answered`, { error: messageOf(error) })
    return cancelled
  }
}

async function answerSampling(
  sample: NonNullable<McpHost['sample']>,
  params: CreateMessageRequestParams,
  asked: AbortSignal,
  { server, ask, redactor, logger }: Asking,
) {
  try {
    if (params.tools !== undefined || params.toolChoice !== undefined)
      throw new ProtocolError(
        invalidParams,
        'Ostler lets servers ask the model, but without tools: leave out tools and toolChoice',
      )
    if (params.messages.length > samplingMessagesMax)
      throw new Error(`it has more than ${samplingMessagesMax} messages`)
    refuseLong(params.systemPrompt)
    const { model, text, stopReason } = await ask(asked, async (signal) =>
      sample(
        {
          server,
          ...(params.systemPrompt !== undefined && {
            systemPrompt: cleanText(params.systemPrompt, redactor),
          }),
          messages: await mapInSlices(params.messages, ({ role, content }) => ({
            role,
            content: cleanMessage(content, redactor),
          })),
          maxTokens: params.maxTokens,
          temperature: params.temperature,
          ...(params.stopSequences !== undefined && { stopSequences: stopSequencesOf(params.stopSequences) }),
        },
        signal,
      ),
    )
    return { role: 'assistant' as const, model, content: { type: 'text' as const, text }, stopReason }
  } catch (error) {
    logger.debug(`MCP server ${server}: sampling was refused`, { error: messageOf(error) })
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(userRejected, 'the request was rejected')
  }
}

/** Refuses long text: leaving it out would change the question. */
function refuseLong(text: string | undefined): void {
  if (text !== undefined && text.length > readTextCharsMax)
    throw new Error(`its text is longer than ${readTextCharsMax} characters`)
}

function toElicitResult(answer: Answer) {
  switch (answer.verdict) {
    case 'allow':
      return {
        action: 'accept' as const,
        ...(answer.values && { content: answer.values as Record<string, string> }),
      }
    case 'deny':
      return { action: 'decline' as const }
    default:
      return cancelled
  }
}

/** No vendor accepts more. */
function stopSequencesOf(given: readonly string[]): readonly string[] {
  return given.filter((text) => text !== '' && text.length <= stopSequenceCharsMax).slice(0, stopSequencesMax)
}
