import { setTimeout as delay } from 'node:timers/promises'
import type {
  ContentBlock,
  LocalClient,
  LocalClientHandlers,
  ServerOptions,
  SessionUpdate,
} from '@ostler/acp-server'
import { createRedactor, OstlerError } from '@ostler/agent-api'
import { findAgentFile, findAgentFileIn } from '@ostler/agent-api/internal'
import { oneOf, usageError, type FlagValues } from '../../command-line/command.ts'
import { parseCount } from '../../command-line/parse-values.ts'
import type { Io } from '../../terminal/io.ts'
import { commandLogger } from '../../state/command-logger.ts'
import { findStateDir, toPath } from '../../state/places.ts'
import { toShown } from '../../terminal/safe-text.ts'
import { readMcpConfig } from './read-mcp-config.ts'
import { approvals, type Approval, type sessionFlags } from './session-flags.ts'

export type Conversation = Awaited<ReturnType<typeof openConversation>>

/** The flags, checked. */
export interface SessionWish {
  readonly approval: Approval | undefined
  readonly maxSteps: number | undefined
  /** The time that its prompts wait for new servers, unless the agent file sets one. */
  readonly connectWaitMs?: number
}

const maxStepsMax = 1_000

const modeOf = {
  ask: 'always-ask',
  trusted: 'trusted-only',
  fenced: 'fenced',
  auto: 'auto',
  none: 'read-only',
} as const satisfies Record<Approval, string>

type Values = FlagValues<typeof sessionFlags>
type OpenedSession = Awaited<ReturnType<LocalClient['newSession']>>

/** Time for a cancelled turn to report how it ended. */
const cancelMsMax = 2_000

/** Validates the flags before anything is opened. */
export function parseSessionFlags(values: Values): SessionWish {
  const approval = oneOf('approve', values.approve, approvals)
  if (values.continue && values.session !== undefined)
    throw usageError('--continue and --session cannot be used together')
  const steps = values['max-steps']
  return { approval, maxSteps: steps === undefined ? undefined : parseCount('max-steps', steps, maxStepsMax) }
}

export interface ConversationOptions extends LocalClientHandlers {
  readonly name: string
  readonly values: Values
  readonly wish: SessionWish
  readonly canElicit: boolean
  /** Gets the updates that replay a session that is continued. Without it, nothing is replayed. */
  readonly onEarlier?: (update: SessionUpdate) => void
  readonly log?: (line: string) => void
}

/** Opens a session of the agent in this process over ACP. */
export async function openConversation(
  io: Io,
  {
    name,
    values,
    wish,
    canElicit,
    onEarlier,
    log = (line) => void io.stderr.write(line),
    ...handlers
  }: ConversationOptions,
) {
  const mcpServers = (
    await Promise.all((values['mcp-config'] ?? []).map((file) => readMcpConfig(io, file, log)))
  ).flat()
  const named = toPath(io, values.agent)
  const findFile = () => findAgentFile(named, io.env)
  const stateDir = findStateDir(io, values)
  const isContinuing = values.continue || values.session !== undefined
  if (isContinuing && stateDir === undefined)
    throw new OstlerError(
      'history.no_place',
      'There is no state directory, so there is no session to continue.',
    )
  const redactor = createRedactor()
  const logger = commandLogger({ stderr: { write: log }, showsNotices: true })
  const openAgent: ServerOptions['openAgent'] = async (elicitModes) => {
    const { editorToolNames, openAgent: open } = await import('../acp/open-agent.ts')
    return open({
      file: findFile(),
      findFile,
      findFileIn: findAgentFileIn(named, io.env),
      env: io.env,
      model: values.model,
      // Not set over the protocol, which would store it: it must end with the command, even if that is
      // killed.
      ...(wish.approval !== undefined && { mode: modeOf[wish.approval] }),
      maxSteps: wish.maxSteps,
      connectWaitMs: wish.connectWaitMs,
      stateDir,
      sessionTools: editorToolNames,
      elicitModes,
      logger,
      redactor,
    })
  }
  const { openLocalClient } = await import('./local-client.ts')
  const capabilities = {
    session: { notices: {}, compaction: {} },
    ...(canElicit && { elicitation: { form: {}, url: {} } }),
  }
  let onUpdate = handlers.onUpdate
  const all = { ...handlers, onUpdate: (update: SessionUpdate) => onUpdate(update) }
  const client = await openLocalClient({ openAgent, logger, name, capabilities, ...all })
  try {
    return await converse()
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw error
  }

  async function converse() {
    const place = { cwd: io.cwd, mcpServers }
    const storedId = isContinuing ? await findSession(client, io.cwd, values.session) : undefined
    const openSession = async (id: string) => {
      if (onEarlier === undefined) return client.resumeSession(id, place)
      onUpdate = onEarlier
      const loaded = await client.loadSession(id, place)
      onUpdate = handlers.onUpdate
      return loaded
    }
    const opened = storedId === undefined ? await client.newSession(place) : await openSession(storedId)
    const { sessionId } = opened
    if (storedId !== undefined && values.model !== undefined)
      await client.setOption(sessionId, 'model', values.model)
    return {
      sessionId,
      isContinued: storedId !== undefined,
      settings: settingsOf(opened, values.model),
      opened,
      prompt: (content: readonly ContentBlock[]) => client.prompt(sessionId, content),
      cancel: () => client.cancel(sessionId),
      setOption: (configId: string, value: string) => client.setOption(sessionId, configId, value),
      redact: (text: string) => redactor.redact(text),
      [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    }
  }
}

function settingsOf({ configOptions, modes }: OpenedSession, wanted: string | undefined) {
  const model = wanted ?? configOptions?.find(({ id }) => id === 'model')?.currentValue
  const mode = modes?.currentModeId
  return { ...(typeof model === 'string' && { model }), mode }
}

/** Cancels a turn, and gives it some time to report how it ended. */
export async function cancelTurn(conversation: Conversation, turn: Promise<unknown>): Promise<void> {
  conversation.cancel()
  await Promise.race([turn.catch(() => undefined), delay(cancelMsMax, undefined, { ref: false })])
}

/** The last session of a folder, or the only one whose id has this prefix. */
async function findSession(client: LocalClient, cwd: string, prefix: string | undefined): Promise<string> {
  const found: string[] = []
  for await (const { sessionId } of client.listSessions(prefix === undefined ? { cwd } : {})) {
    if (prefix === undefined || sessionId === prefix) return sessionId
    if (sessionId.startsWith(prefix)) found.push(sessionId)
  }
  const [first, ...others] = found
  if (prefix === undefined)
    throw new OstlerError(
      'history.unknown',
      `There is no session in ${toShown(cwd)} to continue. To begin one, omit --continue.`,
    )
  if (first === undefined)
    throw new OstlerError(
      'history.unknown',
      `There is no session '${toShown(prefix)}'. \`ostler sessions\` lists them.`,
    )
  if (others.length > 0)
    throw new OstlerError('history.ambiguous', `More than one session begins with '${toShown(prefix)}'.`)
  return first
}
