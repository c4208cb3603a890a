import { OstlerError } from '../base/errors.ts'
import { createMessageId } from '../base/ids.ts'
import type { ContentBlock } from '../messages/content.ts'
import { errorResult, type ToolCallContext, type ToolResult } from '../messages/tool.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Turn } from '../turn/turn.ts'
import { answerPrompt, countsAsUnsent } from './answer-prompt.ts'
import { createEventChannel, type EventChannel } from './event-channel.ts'
import { canAsk, type Ask, type Person } from '../policy/question.ts'
import type { AskedSession } from '../servers/shared-questions.ts'
import type { ServerHome } from '../tools/offered-tool.ts'
import type { SamplingBudget } from './sampling.ts'
import type { Session } from './session.ts'
import type { SessionRecord } from './session-record.ts'
import type { Toolbox } from './toolbox.ts'
import { lineOf } from './commands/command.ts'
import { nameSession } from './session-title.ts'

/** Answers a session's prompts, one at a time. Until a prompt is answered, the servers may ask the person and the model. */
export interface PromptRunner {
  /** Throws `session.busy` while another prompt is being answered. */
  run(
    session: Session,
    content: readonly ContentBlock[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<TurnEvent, void, undefined>
  cancel(): void
  /** Never rejects. */
  ended(): Promise<void>
  runTask(task: string, context: ToolCallContext): Promise<ToolResult>
  /** Servers may ask only while a prompt is answered: then someone is watching, and a cancel ends the question. */
  hostOf(owner: ServerHome['owner']): AskedSession
}

interface RunningPrompt {
  readonly controller: AbortController
  readonly signal: AbortSignal
  readonly servers: Readonly<Record<ServerHome['owner'], Toolbox['servers']['clients']>>
  readonly ended: Promise<void>
  /** Because no person could be asked. */
  declined: number
  tasks: number
  turn?: Turn
}

/** A server that asks again and again must not fill the conversation. */
const declinedShownMax = 5
const tasksMax = 20

export function createPromptRunner(ask: Ask | undefined, person: Person | undefined): PromptRunner {
  let running: RunningPrompt | undefined
  let samplingBudget: SamplingBudget | undefined
  const elicitModes = (['form', 'url'] as const).filter(
    (mode) => person !== undefined && canAsk(person, mode === 'url' ? 'page' : mode),
  )

  async function* run(
    ...[session, content, outer]: Parameters<PromptRunner['run']>
  ): AsyncGenerator<TurnEvent, void, undefined> {
    if (running !== undefined)
      throw new OstlerError(
        'session.busy',
        'A prompt is already being answered in this session. Wait for it, or cancel it.',
      )
    const controller = new AbortController()
    const signal = outer === undefined ? controller.signal : AbortSignal.any([outer, controller.signal])
    const channel = createEventChannel<TurnEvent>()
    const onTurn = (turn: Turn) => {
      if (running !== undefined) running.turn = turn
    }
    const { record, toolbox } = session
    const undo = beginPrompt(record, content)
    const ended = answerPrompt(session, content, { emit: createEmit(record, channel), onTurn }, signal).then(
      () => channel.end(),
      (error: unknown) => {
        if (countsAsUnsent(error)) undo()
        channel.end(error)
      },
    )
    running = {
      controller,
      signal,
      servers: { session: toolbox.servers.clients, agent: toolbox.shared.servers.clients },
      ended,
      declined: 0,
      tasks: 0,
    }
    try {
      yield* channel
    } finally {
      controller.abort()
      await ended
      running = undefined
    }
  }

  return {
    run,
    cancel: () => running?.controller.abort(),
    ended: async () => running?.ended,
    async runTask(task, context) {
      if (running?.turn === undefined) return errorResult('No prompt is being answered.')
      if (++running.tasks > tasksMax)
        return errorResult(
          `Not run: at most ${tasksMax} tasks can be delegated while one prompt is answered.`,
        )
      const { turn } = running
      const { runDelegated } = await import('../turn/run-delegated.ts')
      return runDelegated(turn, task, context)
    },
    hostOf: (owner) => ({
      async sample(request, signal) {
        const prompt = running
        const client = prompt?.servers[owner].get(request.server)
        if (prompt?.turn === undefined || client === undefined)
          throw new OstlerError('mcp.no_turn', 'No prompt is being answered.')
        const { createSamplingBudget, sampleModel } = await import('./sampling.ts')
        samplingBudget ??= createSamplingBudget()
        const stop = AbortSignal.any([signal, prompt.signal])
        return sampleModel(prompt.turn, { client, owner }, request, samplingBudget, stop)
      },
      elicitModes,
      onElicited: (id) => person?.visited?.(id),
      onDeclined({ server, message, url, why = 'that your editor cannot show, so it was declined' }) {
        if (running === undefined || ++running.declined > declinedShownMax) return
        const asked = [message, ...(url === undefined ? [] : [url])].filter((part) => part !== '').join(' ')
        const shown = `> The MCP server ${JSON.stringify(server)} asked a question ${why}: ${asked.replaceAll('\n', ' ')}\n\n`
        void running?.turn?.emit({ type: 'text', messageId: createMessageId(), text: shown })
      },
      elicit:
        ask && elicitModes.length > 0
          ? async (question, signal) =>
              running === undefined
                ? { verdict: 'cancelled' }
                : ask(question, AbortSignal.any([signal, running.signal]))
          : undefined,
    }),
  }
}

/** Events are stored before they are shown, so they can be shown again if the process is killed. */
function createEmit(
  { membranes, log }: SessionRecord,
  channel: EventChannel<TurnEvent>,
): (event: TurnEvent) => Promise<void> {
  const redact = membranes.openEvents()
  return async (event) => {
    // Sent together, because no other event may come in between.
    const taken = redact(event).map((shown) => {
      log.event(shown)
      return channel.push(shown)
    })
    await Promise.all(taken)
  }
}

/** Begins a turn. The returned function undoes it completely: the prompt then counts as not sent. */
function beginPrompt(record: SessionRecord, content: readonly ContentBlock[]): () => void {
  const { memory, log, settings } = record
  const { title } = settings.current
  const before = { ...memory }
  log.beginTurn(content)
  // A command does not name the session, because the model may never read it.
  if (lineOf(content) === undefined) nameSession(record, content)
  return () => {
    Object.assign(memory, before)
    log.forgetTurn()
    settings.change({ title })
  }
}
