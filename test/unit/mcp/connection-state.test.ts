import { describe, expect, test } from 'vitest'
import { OstlerError } from '../../../packages/agent-api/src/base/errors.ts'
import {
  after,
  failureOf,
  isWithdrawn,
  opening,
  openingIdle,
  toStatus,
  withRetryAttempts,
  type ConnectionEvent,
  type ConnectionState,
} from '../../../packages/agent-api/src/mcp/connection-state.ts'
import { defaultTiming } from '../../../packages/agent-api/src/base/timing.ts'

const { attemptAgainMs, goodConnectionMs } = defaultTiming
const down = new OstlerError('mcp.unreachable', 'connection refused\nand what the server printed')
const crash = new OstlerError('mcp.server_stopped', 'the server exited with code 3')
const missing = new OstlerError('mcp.command_not_found', 'command not found: x')
const loggedOut = new OstlerError('mcp.needs_login', 'It needs a login.')

const answered = (status: number) => new OstlerError('mcp.http_error', `HTTP ${status}`, { data: { status } })

const failed = (error = down) => ({ type: 'failed', error }) as const
const lost = (error = crash) => ({ type: 'lost', error }) as const
const wanted = (by: 'call' | 'session' | 'retry' | 'login' | 'person') => ({ type: 'wanted', by }) as const
const connected = {
  type: 'connected',
  server: { name: 's', version: '1', protocolVersion: 'p' },
  warnings: [],
} as const
const unused = { type: 'unused' } as const
const found = (error?: OstlerError) => ({ type: 'checked', error }) as const
const sleepy = <E extends ConnectionEvent>(event: E) => ({ ...event, maySleep: true })
const pause = (ms: number) => ({ type: 'pause', ms }) as const

type Step = ConnectionEvent | ReturnType<typeof pause>

/** Runs the steps and records the effects of each event, in words. */
function follow(
  steps: readonly Step[],
  retryAttempts?: number,
  { state }: Pick<typeof opening, 'state'> = opening,
): { readonly state: ConnectionState; readonly done: string[] } {
  let now = 1_000_000
  const done: string[] = []
  for (const step of steps) {
    if (step.type === 'pause') {
      now += step.ms
      continue
    }
    const transition = after(state, step, now, withRetryAttempts(defaultTiming, retryAttempts))
    state = transition.state
    const words = transition.effects.map((effect) => {
      if (effect.type === 'log') return effect.level
      if (effect.type !== 'wait') return effect.type
      return `wait ${effect.retryMs ?? 'for ever'}${effect.forLogin ? ' or a login' : ''}`
    })
    done.push(words.join(', '))
  }
  return { state, done }
}

const failures = (count: number): Step[] =>
  Array.from({ length: count }, () => [failed(), wanted('retry')]).flat()
const pausesOf = (steps: readonly Step[], retryAttempts?: number) =>
  follow(steps, retryAttempts).done.flatMap((words) => /wait (\S+)/.exec(words)?.[1] ?? [])

describe('the delays before retries', () => {
  test.each([
    [
      'five quick ones unless the server says otherwise',
      undefined,
      ['1000', '2000', '4000', '8000', '16000', '30000', '60000', '60000'],
    ],
    [
      'as many quick ones as the server says',
      2,
      ['1000', '2000', '30000', '60000', '60000', '60000', '60000', '60000'],
    ],
    ['none', 0, Array.from({ length: 8 }, () => 'for')],
  ])('%s', (_case, retryAttempts, expected) => {
    expect(pausesOf(failures(8), retryAttempts)).toEqual(expected)
  })

  test('start over after a good connection', () => {
    const held = [...failures(3), connected, pause(goodConnectionMs), lost()]
    expect(pausesOf(held)).toEqual(['1000', '2000', '4000', '1000'])
  })

  test('continue after a short connection', () => {
    const brief = [...failures(3), connected, pause(goodConnectionMs - 1), lost()]
    expect(pausesOf(brief)).toEqual(['1000', '2000', '4000', '8000'])
  })

  test('start over after a successful call', () => {
    expect(pausesOf([...failures(3), connected, { type: 'answered' }, lost()])).toEqual([
      '1000',
      '2000',
      '4000',
      '1000',
    ])
  })
})

describe('a lasting error', () => {
  test.each([
    [missing, 'wait for ever'],
    [loggedOut, 'wait for ever or a login'],
    [new OstlerError('secrets.locked', 'the keyring is locked'), 'wait for ever'],
    [new OstlerError('mcp.needs_scope', 'more is needed'), 'wait for ever or a login'],
    [answered(404), 'wait for ever'],
    [answered(405), 'wait for ever'],
    [answered(307), 'wait for ever'],
  ])('%s', (error, wait) => {
    const { state, done } = follow([failed(error)])
    expect(done).toEqual([`warn, ${wait}`])
    expect(state.is).toBe(wait.endsWith('login') ? 'needs_login' : 'failed')
    expect(toStatus(state)).toEqual({
      state: 'error',
      reason: error.message,
      willRetry: false,
      ...(wait.endsWith('login') && { needsLogin: true }),
    })
  })

  test('is not the answer of a server that is overloaded, or of an address that worked before', () => {
    for (const status of [400, 429, 500, 502, 503])
      expect(pausesOf([failed(answered(status))])).toEqual(['1000'])
    expect(pausesOf([connected, lost(), wanted('retry'), failed(answered(404))])).toEqual(['1000', '2000'])
  })

  test('does not use up a quick retry', () => {
    expect(pausesOf([failed(missing), pause(attemptAgainMs), wanted('call'), failed()])).toEqual([
      'for',
      '1000',
    ])
  })
})

describe('the trigger of an attempt', () => {
  const withFailure: Step[] = [failed()]
  const longAgo = pause(attemptAgainMs)
  test.each<[string, Step[], Step, string]>([
    ['a retry that is due', withFailure, wanted('retry'), 'connect'],
    ['a login', [failed(loggedOut)], wanted('login'), 'connect'],
    ['a call', [...withFailure, longAgo], wanted('call'), 'connect'],
    ['not a call right after a failure', withFailure, wanted('call'), ''],
    ['a call right after a loss', [connected, lost()], wanted('call'), 'connect'],
    ['a session', [...withFailure, longAgo], wanted('session'), 'connect'],
    ['not a session right after a failure', withFailure, wanted('session'), ''],
    ['the person, also right after a failure', withFailure, wanted('person'), 'connect'],
    ['the person, where a connection stands', [connected], wanted('person'), 'disconnect, connect'],
    ['not a call where a connection stands', [connected], wanted('call'), ''],
    ['not the person while an attempt is made', [], wanted('person'), ''],
    ['a call after a lasting error', [failed(missing), longAgo], wanted('call'), 'connect'],
    ['nobody after the end', [{ type: 'closed' }], wanted('person'), ''],
  ])('%s', (_case, before, event, effects) => {
    expect(follow([...before, event]).done.at(-1)).toBe(effects)
  })
})

describe('a server that starts on use', () => {
  const followIdle = (steps: readonly Step[]) => follow(steps, undefined, openingIdle)
  const unwanted = { type: 'unwanted' } as const
  const cancelled = { type: 'cancelled' } as const
  const call = wanted('call')
  const up = [call, connected]

  test.each<[string, Step[], string[], ConnectionState['is']]>([
    [
      'waits for a call; a session only checks it',
      [wanted('session'), call],
      ['check', 'connect'],
      'connecting',
    ],
    ['or for the person', [wanted('person')], ['connect'], 'connecting'],
    ['starts once for all callers', [call, call, wanted('person')], ['connect', '', ''], 'connecting'],
    [
      'is cancelled with its last caller, and idle once it has ended',
      [call, unwanted, cancelled],
      ['connect', 'cancel', ''],
      'idle',
    ],
    [
      'starts again for the next caller',
      [call, unwanted, cancelled, call],
      ['connect', 'cancel', '', 'connect'],
      'connecting',
    ],
    ['stays when its callers go later', [...up, unwanted], ['connect', '', ''], 'connected'],
    ['is not retried when its start fails', [call, failed()], ['connect', 'warn, wait for ever'], 'failed'],
    [
      'except by a login',
      [call, failed(loggedOut), wanted('login')],
      ['connect', 'warn, wait for ever or a login', 'connect'],
      'connecting',
    ],
    [
      'starts again for the next caller after a failure, however soon',
      [call, failed(), call],
      ['connect', 'warn, wait for ever', 'connect'],
      'connecting',
    ],
    [
      'is restored like any other when it is lost',
      [...up, lost()],
      ['connect', '', 'disconnect, warn, wait 1000'],
      'failed',
    ],
    [
      'may be cancelled while it is restored',
      [...up, lost(), call, unwanted, cancelled],
      ['connect', '', 'disconnect, warn, wait 1000', 'connect', 'cancel', ''],
      'idle',
    ],
    ['ends for good', [{ type: 'closed' }, call], ['disconnect', ''], 'closed'],
  ])('%s', (_case, steps, done, is) => {
    const end = followIdle(steps)
    expect(end.done).toEqual(done)
    expect(end.state.is).toBe(is)
  })

  test.each<[string, Step[], string[], ConnectionState['is']]>([
    ['stays idle if the check finds nothing', [found()], [''], 'idle'],
    ['tells what the check finds', [found(missing)], ['warn, wait for ever'], 'failed'],
    [
      'is checked again, not started, by the next session',
      [found(missing), pause(attemptAgainMs), wanted('session'), found()],
      ['warn, wait for ever', 'check', ''],
      'idle',
    ],
    ['ignores a check that is overtaken', [call, found(missing)], ['connect', ''], 'connecting'],
    ['sleeps when it is unused', [...up, unused], ['connect', '', 'disconnect'], 'idle'],
    ['and wakes for a call', [...up, unused, call], ['connect', '', 'disconnect', 'connect'], 'connecting'],
    ['cannot be unused before it is connected', [call, unused], ['connect', ''], 'connecting'],
    [
      'sleeps when it is lost and may sleep',
      [...up, sleepy(lost())],
      ['connect', '', 'disconnect, warn, wait for ever'],
      'idle',
    ],
    [
      'is not retried when it does not wake',
      [...up, unused, call, sleepy(failed())],
      ['connect', '', 'disconnect', 'connect', 'warn, wait for ever'],
      'failed',
    ],
    [
      'is retried while something needs it',
      [...up, lost(), wanted('retry'), failed()],
      ['connect', '', 'disconnect, warn, wait 1000', 'connect', 'warn, wait 2000'],
      'failed',
    ],
  ])('%s', (_case, steps, done, is) => {
    const end = followIdle(steps)
    expect(end.done).toEqual(done)
    expect(end.state.is).toBe(is)
  })

  test('may be one that was started at once, and was unused since', () => {
    const { state, done } = follow([connected, unused, wanted('session'), call])
    expect(done).toEqual(['', 'disconnect', 'check', 'connect'])
    expect(state).toMatchObject({ is: 'connecting', startsOnUse: true })
  })

  test('is not one that was started at once: it is retried when it is lost', () => {
    expect(follow([connected, sleepy(lost())]).done).toEqual(['', 'disconnect, warn, wait 1000'])
  })

  test('asks for the login that it has lost', () => {
    const { state } = followIdle([...up, sleepy(lost(loggedOut))])
    expect(toStatus(state)).toMatchObject({ state: 'error', needsLogin: true })
  })

  test('keeps its tools though it does not wake, and reports the failure', () => {
    const { state } = followIdle([...up, unused, call, sleepy(failed(missing))])
    expect(isWithdrawn(state)).toBe(false)
    expect(failureOf(state)).toBe(missing)
    expect(isWithdrawn(follow([sleepy(failed(missing))]).state)).toBe(true)
  })

  test('keeps its tools after a failed start, and loses them like any other after a connection', () => {
    expect(isWithdrawn(followIdle([call, failed(missing)]).state)).toBe(false)
    expect(isWithdrawn(followIdle([...up, lost(), call, failed(missing)]).state)).toBe(true)
  })

  test('is idle for its owner', () => {
    expect(toStatus(openingIdle.state)).toEqual({ state: 'idle' })
    expect(failureOf(followIdle([call, failed()]).state)).toBe(down)
  })

  test('no start of another server is cancelled by its callers', () => {
    expect(follow([unwanted]).done).toEqual([''])
  })
})

describe('the log', () => {
  const levels = (steps: readonly Step[]) =>
    follow(steps).done.flatMap((words) => words.match(/warn|info|debug/g) ?? [])

  test('contains a reason once', () => {
    expect(levels(failures(4))).toEqual(['warn', 'debug', 'debug', 'debug'])
  })

  test('contains other reasons, too, up to a limit', () => {
    const reasons = Array.from({ length: 5 }, (_, index) => [
      failed(new OstlerError('mcp.failed', `pid ${index}`)),
      wanted('retry'),
    ]).flat()
    expect(levels(reasons)).toEqual(['warn', 'warn', 'warn', 'debug', 'debug'])
  })

  test('reports once that the tools of a server are gone', () => {
    const steps = [connected, lost(), wanted('retry'), ...failures(6)]
    expect(levels(steps)).toEqual(['warn', 'warn', 'debug', 'debug', 'debug', 'debug', 'warn', 'debug'])
    expect(levels(failures(8))).toEqual(['warn', ...Array.from({ length: 7 }, () => 'debug')])
  })

  test('reports the end of an outage, and the same reason again after a good connection', () => {
    expect(levels([failed(), wanted('retry'), connected, pause(goodConnectionMs), lost(down)])).toEqual([
      'warn',
      'info',
      'warn',
    ])
    expect(levels([connected])).toEqual([])
  })
})

describe("the owner's view", () => {
  test('an earlier failure remains known during the next attempt, until it is connected', () => {
    const trying = follow([failed(), wanted('retry')]).state
    expect(toStatus(trying)).toEqual({ state: 'connecting', attempt: 2 })
    expect(failureOf(trying)).toBe(down)
    expect(failureOf(follow([failed(), wanted('retry'), connected]).state)).toBeUndefined()
  })

  test('the tools stay while a lost connection is restored, and go when the quick retries are used up', () => {
    const away = [connected, lost()]
    const steps = [...away, wanted('retry'), ...failures(4)]
    expect(isWithdrawn(follow(away).state)).toBe(false)
    expect(isWithdrawn(follow(steps).state)).toBe(false)
    expect(isWithdrawn(follow([...steps, failed()]).state)).toBe(true)
    expect(isWithdrawn(follow([...steps, failed(), wanted('retry')]).state)).toBe(true)
    expect(isWithdrawn(follow([...steps, failed(), wanted('retry'), connected]).state)).toBe(false)
  })

  test('a server that is never retried keeps its tools for the call that brings it back', () => {
    expect(isWithdrawn(follow([connected, lost()], 0).state)).toBe(false)
    expect(isWithdrawn(follow([connected, lost(), wanted('call'), failed()], 0).state)).toBe(true)
  })

  test('nothing follows the end', () => {
    const end = { type: 'closed' } as const
    expect(follow([connected, end, lost(), failed(), wanted('retry'), connected]).done).toEqual([
      '',
      'disconnect',
      '',
      '',
      '',
      '',
    ])
    expect(toStatus(follow([end]).state)).toEqual({ state: 'disconnected' })
  })
})
