import { isRecord } from '../base/is-record.ts'
import type { QuestionBody, StoredAnswer } from '../history/questions.ts'
import type { CallRecorder } from '../history/call.ts'
import type { McpElicitation, McpHost } from '../mcp/mcp-client.ts'
import type { FormAnswer, JsonSchema, PersonForm } from '../messages/tool.ts'
import type { PlacedAnswer } from '../policy/answer-rule.ts'
import { askBoth, type AskBothOptions } from './ask-both.ts'
import type { OfferLogin } from './chat-session.ts'
import { recordAnswer } from './record-answer.ts'

export interface SharedElicitOptions extends AskBothOptions {
  /** Records what servers ask in the current turn. */
  readonly calls: () => CallRecorder
}

type AskHere = (signal: AbortSignal) => Promise<FormAnswer>

/**
 * Asks a server's question in the editor and in the console at once. Undefined if the editor cannot ask, because perhaps nobody is at the
 * console.
 */
export function createSharedElicit(elicit: McpHost['elicit'], options: SharedElicitOptions): McpHost['elicit'] {
  if (elicit === undefined) return undefined
  return (request, signal) =>
    recordAnswer(options.calls(), request, () => askPlaced(options, toBody(request), (stop) => elicit(request, stop), signal), signal)
}

/** Also offers a login in both places. */
export function createSharedLogin(offerLogin: OfferLogin | undefined, options: SharedElicitOptions): OfferLogin | undefined {
  if (offerLogin === undefined) return undefined
  return (page, signal) => {
    const { server, url, login, scope } = page
    const message =
      scope === undefined ? 'Log in, so that its tools can be used.' : `A call needs more permissions. Log in to grant: ${scope}`
    const request = { server, mode: 'url', message, url } as const
    return recordAnswer(
      options.calls(),
      request,
      () => askPlaced(options, { kind: 'page', server, message, url, login }, (stop) => offerLogin(page, stop), signal),
      signal,
    )
  }
}

/** Asks the agent's own form in both places. The call that asks is in the history already. */
export function askForm(options: AskBothOptions, form: PersonForm, here: AskHere, signal: AbortSignal): Promise<PlacedAnswer> {
  return askPlaced(options, { kind: 'form', server: null, ...form }, here, signal)
}

function askPlaced(options: AskBothOptions, body: QuestionBody, here: AskHere, signal: AbortSignal): Promise<PlacedAnswer> {
  return askBoth<PlacedAnswer>(
    options,
    body,
    {
      here: async (stop) => ({ answer: await here(stop) }),
      fromStored: (stored) => ({ answer: fromStored(stored, body.kind === 'form' ? body.schema : undefined), from: 'console' }),
    },
    signal,
  )
}

type AskedOf<T extends McpElicitation> = Omit<T, 'elicitationId'>

function toBody(
  request: AskedOf<Extract<McpElicitation, { mode: 'form' }>> | AskedOf<Extract<McpElicitation, { mode: 'url' }>>,
): QuestionBody {
  const { server, message } = request
  return request.mode === 'form'
    ? { kind: 'form', server, message, schema: request.schema }
    : { kind: 'page', server, message, url: request.url }
}

/** Only an explicit `accept` counts as yes. Fields that the form does not have are dropped. */
function fromStored({ choice, arguments: content = {} }: StoredAnswer, schema: JsonSchema | undefined): FormAnswer {
  if (choice !== 'accept') return { action: choice === 'decline' ? 'decline' : 'cancel' }
  if (schema === undefined) return { action: 'accept' }
  const { properties } = schema
  const names = isRecord(properties) ? Object.keys(properties) : []
  return { action: 'accept', content: Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name))) }
}
