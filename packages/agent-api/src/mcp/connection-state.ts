import type { OstlerError } from '../base/errors.ts'
import type { McpServerIdentity, McpStatus } from './mcp-client.ts'
import type { Timing } from '../base/timing.ts'

/** The state of one connection. `after` is the only transition function. */
export type ConnectionState =
  /** Starts when it is used. */
  (
    | { readonly is: 'idle' }
    /** `failure` is set if an earlier attempt failed or the connection was lost. */
    | { readonly is: 'connecting'; readonly failure?: Failure }
    | {
        readonly is: 'connected'
        readonly since: number
        readonly server: McpServerIdentity
        readonly warnings: readonly string[]
      }
    /** With `needs_login`, a person must log in, and a new login starts the next attempt. */
    | { readonly is: 'failed' | 'needs_login'; readonly failure: Failure }
    | { readonly is: 'closed' }
  ) & {
    /** Number of retries since the last good connection. */
    readonly retries: number
    /** Reasons logged since the last good connection. */
    readonly loggedReasons: readonly string[]
    /** True once a connection succeeded, so that its tools were offered. */
    readonly wasConnected: boolean
    /** True if only a use starts it. A failed start is then its caller's, so it is not retried and withdraws nothing. */
    readonly startsOnUse: boolean
  }

interface Failure {
  readonly error: OstlerError
  readonly at: number
  /** True if a connection was lost and no attempt has failed since. */
  readonly isLoss: boolean
  /** Delay before the next attempt. Undefined if only a request starts one. */
  readonly retryMs: number | undefined
  /** True once the quick retries are used up. */
  readonly isLong: boolean
  /** True if it is the failure of those who wanted to use the server. */
  readonly isOfCaller: boolean
}

type Wisher = 'call' | 'session' | 'retry' | 'login' | 'person'

export type ConnectionEvent =
  /** Something needs the connection: a call, a new session, a due retry, a new login, or the person. */
  | { readonly type: 'wanted'; readonly by: Wisher }
  /** The last caller that waited for the attempt has given up. */
  | { readonly type: 'unwanted' }
  /** A cancelled attempt has ended. */
  | { readonly type: 'cancelled' }
  /** The connection was unused for the idle time. */
  | { readonly type: 'unused' }
  /** The check has found why a start would fail, or no reason. */
  | { readonly type: 'checked'; readonly error: OstlerError | undefined }
  | { readonly type: 'connected'; readonly server: McpServerIdentity; readonly warnings: readonly string[] }
  /** The server listed its tools or prompts again. */
  | { readonly type: 'listed'; readonly warnings: readonly string[] }
  /** A call succeeded. */
  | { readonly type: 'answered' }
  /** `maySleep`: nothing needs the connection before its next use. */
  | { readonly type: 'failed' | 'lost'; readonly error: OstlerError; readonly maySleep?: boolean }
  | { readonly type: 'closed' }

export type ConnectionEffect =
  | { readonly type: 'connect' }
  | { readonly type: 'cancel' }
  /** Look for a reason why a start would fail, without starting anything. */
  | { readonly type: 'check' }
  | { readonly type: 'disconnect' }
  | { readonly type: 'wait'; readonly retryMs: number | undefined; readonly forLogin: boolean }
  | {
      readonly type: 'log'
      readonly level: 'warn' | 'info' | 'debug'
      readonly message: string
      readonly error?: OstlerError
    }

interface Transition {
  readonly state: ConnectionState
  readonly effects: readonly ConnectionEffect[]
}

type RetryTiming = Pick<Timing, 'quickRetriesMs' | 'slowRetriesMs' | 'attemptAgainMs' | 'goodConnectionMs'>

/** The timing of one server. `retryAttempts` counts the quick retries; with 0 there are no slow ones either. */
export function withRetryAttempts(timing: Timing, retryAttempts: number | undefined): Timing {
  if (retryAttempts === undefined) return timing
  if (retryAttempts === 0) return { ...timing, quickRetriesMs: [], slowRetriesMs: [] }
  return { ...timing, quickRetriesMs: timing.quickRetriesMs.slice(0, retryAttempts) }
}

/** Limit on logged reasons, for a server whose reason changes each time. */
const loggedReasonsMax = 3

/**
 * Errors that do not go away by themselves, so there are no retries. A request still starts an attempt, because the person may have fixed
 * the cause.
 */
const lastingErrors: ReadonlySet<string> = new Set([
  'mcp.command_not_found',
  'mcp.not_executable',
  'mcp.invalid_command',
  'mcp.invalid_cwd',
  'mcp.refused',
  'mcp.unconfirmed_start',
  'mcp.invalid_url',
  'mcp.invalid_header',
  'mcp.insecure_url',
  'mcp.needs_authorization',
  'mcp.needs_login',
  'mcp.needs_scope',
  'mcp.incompatible_protocol',
])

/**
 * Statuses of an address without an MCP server: not found, no POST, gone, and redirects, which are not
 * followed.
 */
const wrongAddressStatuses: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308, 404, 405, 410])

export const opening: Transition = {
  state: { is: 'connecting', retries: 0, loggedReasons: [], wasConnected: false, startsOnUse: false },
  effects: [{ type: 'connect' }],
}

export const openingIdle: Transition = {
  state: { ...opening.state, is: 'idle', startsOnUse: true },
  effects: [],
}

/** The transition function: returns the next state and the effects to perform. Pure. */
export function after(
  state: ConnectionState,
  event: ConnectionEvent,
  now: number,
  timing: RetryTiming,
): Transition {
  if (state.is === 'closed') return unchanged(state)
  switch (event.type) {
    case 'wanted':
      return afterWanted(state, event.by, now, timing)
    case 'unwanted':
      return state.is === 'connecting' && state.startsOnUse
        ? { state, effects: [{ type: 'cancel' }] }
        : unchanged(state)
    case 'cancelled':
      return asleep(state)
    case 'unused':
      return state.is === 'connected'
        ? { ...asleep({ ...state, startsOnUse: true }), effects: [{ type: 'disconnect' }] }
        : unchanged(state)
    case 'checked':
      if (!isResting(state)) return unchanged(state)
      return event.error === undefined
        ? asleep(state)
        : afterFailure(state, { type: 'failed', error: event.error, maySleep: true }, now, timing)
    case 'connected':
      return {
        state: {
          ...pastOf(state),
          wasConnected: true,
          is: 'connected',
          since: now,
          server: event.server,
          warnings: event.warnings,
        },
        effects: [
          ...event.warnings.map((message) => ({ type: 'log' as const, level: 'warn' as const, message })),
          ...(state.loggedReasons.length > 0
            ? [
                {
                  type: 'log' as const,
                  level: 'info' as const,
                  message: state.wasConnected ? 'connected again' : 'connected',
                },
              ]
            : []),
        ],
      }
    case 'listed':
      return state.is === 'connected'
        ? { state: { ...state, warnings: event.warnings }, effects: [] }
        : unchanged(state)
    case 'answered':
      return state.retries === 0 ? unchanged(state) : { state: { ...state, retries: 0 }, effects: [] }
    case 'failed':
      return afterFailure(state, event, now, timing)
    case 'lost':
      return state.is === 'connected' ? afterFailure(state, event, now, timing) : unchanged(state)
    case 'closed':
      return { state: { ...pastOf(state), is: 'closed' }, effects: [{ type: 'disconnect' }] }
  }
}

function afterWanted(
  state: ConnectionState,
  by: Wisher,
  now: number,
  { attemptAgainMs }: RetryTiming,
): Transition {
  const connect: ConnectionEffect = { type: 'connect' }
  if (state.is === 'connected' && by === 'person')
    return { state: { ...pastOf(state), is: 'connecting' }, effects: [{ type: 'disconnect' }, connect] }
  if (isResting(state) && by === 'session') return { state, effects: [{ type: 'check' }] }
  if (state.is === 'idle') return { state: { ...pastOf(state), is: 'connecting' }, effects: [connect] }
  if (state.is !== 'failed' && state.is !== 'needs_login') return unchanged(state)
  const { failure } = state
  // The failure of a start belongs to those who waited for it.
  const hasJustFailed = !failure.isLoss && !failure.isOfCaller && now - failure.at < attemptAgainMs
  if (hasJustFailed && (by === 'call' || by === 'session')) return unchanged(state)
  return { state: { ...pastOf(state), is: 'connecting', failure }, effects: [connect] }
}

function afterFailure(
  state: ConnectionState,
  { type, error, maySleep = false }: Extract<ConnectionEvent, { readonly type: 'failed' | 'lost' }>,
  now: number,
  { quickRetriesMs: quickMs, slowRetriesMs: slowMs, goodConnectionMs }: RetryTiming,
): Transition {
  const isLoss = type === 'lost'
  const sleeps = isLoss && maySleep && state.startsOnUse && !asksForLogin(error)
  const wasGood = state.is === 'connected' && now - state.since >= goodConnectionMs
  const { retries, loggedReasons } = wasGood ? opening.state : state
  const isOfCaller = state.startsOnUse && (maySleep || !state.wasConnected)
  const retryMs =
    isOfCaller || isLasting(error, state.wasConnected)
      ? undefined
      : (quickMs[retries] ?? slowMs[Math.min(retries - quickMs.length, slowMs.length - 1)])
  const isLong = retryMs === undefined || retries >= quickMs.length
  // Only the first line is compared: the server's output follows and may differ each time.
  const [reason = ''] = error.message.split('\n')
  const isNew = !loggedReasons.includes(reason) && loggedReasons.length < loggedReasonsMax
  const next: ConnectionState = {
    is: asksForLogin(error) ? 'needs_login' : 'failed',
    failure: { error, at: now, isLoss, retryMs, isLong, isOfCaller },
    retries: retryMs === undefined ? retries : retries + 1,
    loggedReasons: isNew ? [...loggedReasons, reason] : loggedReasons,
    wasConnected: state.wasConnected,
    startsOnUse: state.startsOnUse,
  }
  const loses = state.wasConnected && isWithdrawn(next) && !isWithdrawn(state)
  return {
    state: sleeps ? { ...pastOf(next), is: 'idle' } : next,
    effects: [
      ...(isLoss ? [{ type: 'disconnect' as const }] : []),
      { type: 'log', level: isNew ? 'warn' : 'debug', message: error.message, error },
      ...(loses
        ? [
            {
              type: 'log' as const,
              level: 'warn' as const,
              message: 'its tools are not offered until it is connected again',
            },
          ]
        : []),
      { type: 'wait', retryMs, forLogin: next.is === 'needs_login' },
    ],
  }
}

export function toStatus(state: ConnectionState): McpStatus {
  switch (state.is) {
    case 'idle':
      return { state: 'idle' }
    case 'connecting':
      return { state: 'connecting', attempt: state.retries + 1 }
    case 'connected':
      return { state: 'connected', server: state.server, warnings: state.warnings }
    case 'failed':
      return {
        state: 'error',
        reason: state.failure.error.message,
        willRetry: state.failure.retryMs !== undefined,
      }
    case 'needs_login':
      return { state: 'error', reason: state.failure.error.message, willRetry: false, needsLogin: true }
    case 'closed':
      return { state: 'disconnected' }
  }
}

/** The last failure, until the next successful connection. */
export function failureOf(state: ConnectionState): OstlerError | undefined {
  return 'failure' in state ? state.failure?.error : undefined
}

/** True if a lost server has not come back during the quick retries. Its tools are then not offered. */
export function isWithdrawn(state: ConnectionState): boolean {
  const failure = 'failure' in state ? state.failure : undefined
  return failure !== undefined && !failure.isLoss && failure.isLong && !failure.isOfCaller
}

export function asksForLogin({ code }: OstlerError): boolean {
  return code === 'mcp.needs_login' || code === 'mcp.needs_scope'
}

/** An unreadable secret is not retried automatically, to avoid repeated prompts. An address that worked before may work again. */
function isLasting({ code, data }: OstlerError, wasConnected: boolean): boolean {
  if (code === 'mcp.http_error') return !wasConnected && wrongAddressStatuses.has(data['status'])
  return lastingErrors.has(code) || code.startsWith('secrets.')
}

function pastOf({
  retries,
  loggedReasons,
  wasConnected,
  startsOnUse,
}: ConnectionState): Pick<ConnectionState, 'retries' | 'loggedReasons' | 'wasConnected' | 'startsOnUse'> {
  return { retries, loggedReasons, wasConnected, startsOnUse }
}

/** True if nothing but a use starts it now. */
function isResting(state: ConnectionState): boolean {
  return state.is === 'idle' || (state.is === 'failed' && state.failure.isOfCaller)
}

function asleep(state: ConnectionState): Transition {
  return { state: { ...pastOf(state), is: 'idle' }, effects: [] }
}

function unchanged(state: ConnectionState): Transition {
  return { state, effects: [] }
}
