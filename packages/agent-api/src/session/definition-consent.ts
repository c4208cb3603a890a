import type { Logger } from '../base/logger.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { Ask } from '../policy/question.ts'
import type { DefinitionReview } from '../servers/definition-reviews.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import type { SharedPerson } from './person.ts'

/** Asks and tells about what servers have changed, before a model reads it. */
export interface DefinitionConsent extends Disposable {
  /** Asks one question for each server. Nothing waits for the answers. */
  look(clients: Iterable<McpClient>): void
  /** Accepts the changes that need no answer. If it returns true, the report must go out before the next request. */
  tell(clients: Iterable<McpClient>): Promise<boolean>
  /** Sentences about what was told. */
  readonly told: readonly string[]
  /** Waits for the answer about a tool or a prompt. Returns the reason why it cannot be used, if any. */
  check(client: McpClient, key: string, signal: AbortSignal): Promise<string | undefined>
  warnings(clients: Iterable<McpClient>): readonly string[]
}

interface DefinitionConsentOptions extends Pick<SharedPerson, 'grants' | 'openDefinitionQuestions'> {
  readonly reviewOf: (client: McpClient) => DefinitionReview | undefined
  /** Undefined if nobody can be asked. Then nothing that needs an answer is accepted. */
  readonly ask: Ask | undefined
  readonly calls: () => CallRecorder
  readonly logger: Logger
}

const toldMax = 100

export function createDefinitionConsent(options: DefinitionConsentOptions): DefinitionConsent {
  const { reviewOf, openDefinitionQuestions: questions, ask, grants } = options
  const lifetime = new AbortController()
  const { signal } = lifetime
  const asked = new Map<string, { readonly key: string; readonly answered: Promise<void> }>()
  let told: readonly string[] = []

  async function askAbout(client: McpClient, review: DefinitionReview): Promise<void> {
    const { identity } = review
    // Another session asks about the same server.
    for (let other = questions.get(identity); other !== undefined; other = questions.get(identity))
      await other
    if (ask === undefined || signal.aborted) return
    const answered = import('./ask-about-changes.ts')
      .then(({ askAboutChanges }) => askAboutChanges({ ...options, ask }, client, review, signal))
      .finally(() => questions.delete(identity))
    questions.set(identity, answered)
    await answered
  }

  /** Settles when the question about the open changes is answered. Undefined if they need none. */
  function askOnce(client: McpClient): Promise<void> | undefined {
    const review = reviewOf(client)
    const changes = review?.open.ask ?? []
    if (review === undefined || changes.length === 0) return undefined
    const key = JSON.stringify(changes.map((change) => [change.key, change.now]))
    const before = asked.get(client.name)
    if (before?.key === key) return before.answered
    const answered = askAbout(client, review)
    asked.set(client.name, { key, answered })
    return answered
  }

  return {
    look(clients) {
      for (const client of clients) void askOnce(client)
    },
    async tell(clients) {
      const before = told
      for (const client of clients) {
        const review = reviewOf(client)
        if (review?.open.tell === undefined) continue
        const { acceptTold } = await import('./ask-about-changes.ts')
        told = [...told, ...(await acceptTold(grants, client, review))].slice(-toldMax)
      }
      return told !== before
    },
    get told() {
      return told
    },
    async check(client, key, stop) {
      const review = reviewOf(client)
      if (review?.isHeld(key) !== true) return undefined
      await orAborted(askOnce(client) ?? Promise.resolve(), stop, undefined)
      return review.isHeld(key)
        ? `The server '${client.name}' has changed its definition, and the person has not accepted the new one. Nothing was run.`
        : undefined
    },
    warnings: (clients) =>
      [...clients].flatMap((client) => {
        const { heldNames: names = [], open } = reviewOf(client) ?? {}
        const how = open?.refused === undefined ? '' : ' “definitionChanges: tell” accepts what you refused.'
        return names.length === 0
          ? []
          : [
              `${client.name} has changed, and this is left out until you accept it: ${names.join(', ')}.${how}`,
            ]
      }),
    [Symbol.dispose]: () => lifetime.abort(),
  }
}
