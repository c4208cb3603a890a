import { describe, expect, test } from 'vitest'
import { nextTurn } from '../../../packages/agent-api/src/base/in-slices.ts'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { McpClient, McpStatus } from '../../../packages/agent-api/src/mcp/mcp-client.ts'
import type { McpServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { openServerSet, type ServerChange } from '../../../packages/agent-api/src/servers/server-set.ts'

const config = (name: string): McpServerConfig => ({
  type: 'stdio',
  name,
  command: 'server',
  args: [],
  env: {},
})
const connected: McpStatus = {
  state: 'connected',
  server: { name: 's', version: '1', protocolVersion: 'p' },
  warnings: [],
}
const lost: McpStatus = { state: 'error', reason: 'lost', willRetry: true }
const dynamic = { mode: 'dynamic', defaultToolConfig: {} } as const
const strict = { mode: 'strict' } as const

/** A client whose news the test decides. */
interface ScriptedClient {
  readonly client: McpClient
  become(status: McpStatus, tools?: readonly string[]): void
  readonly isDisposed: () => boolean
}

function scriptClient(of: McpServerConfig): ScriptedClient {
  const listeners = new Set<() => void>()
  const settled = Promise.withResolvers<void>()
  let isDisposed = false
  const now: { status: McpStatus; tools: McpClient['tools'] } = {
    status: { state: 'connecting', attempt: 1 },
    tools: [],
  }
  const client = {
    name: of.name,
    config: of,
    origin: `run ${of.name}`,
    get status() {
      return now.status
    },
    get tools() {
      return now.tools
    },
    settled: settled.promise,
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true
    },
  } as unknown as McpClient
  return {
    client,
    isDisposed: () => isDisposed,
    become(status, tools) {
      now.status = status
      if (tools !== undefined)
        now.tools = tools.map((name) => ({ name, description: '', inputSchema: { type: 'object' } }))
      settled.resolve()
      for (const listener of listeners) listener()
    },
  }
}

function openSet() {
  const scripts = new Map<string, ScriptedClient>()
  const violations: string[] = []
  const changes: string[] = []
  const set = openServerSet({
    open(of) {
      const script = scriptClient(of)
      scripts.set(of.name, script)
      return script.client
    },
    configured: [{ name: 'known' }],
    logger: silentLogger,
    onViolation: ({ sentences }, key) =>
      violations.push(...sentences.map((sentence) => `${key}: ${sentence}`)),
  })
  set.onChange(({ key, what }: ServerChange) =>
    changes.push(`${key} ${what} ${[...set.admitted(key).keys()].join(' ')}`.trim()),
  )
  return { set, violations, changes, script: (name: string) => scripts.get(name)! }
}

describe('the tools of a server', () => {
  test('are admitted before a listener is told about the connection', () => {
    const { set, script, changes } = openSet()
    set.add(config('a'), dynamic)
    script('a').become(connected, ['one', 'two'])
    expect(changes).toEqual(['a added', 'a connected one two'])
  })

  test('stay admitted while the connection is lost, and are examined again when the list has changed', () => {
    const { set, script, changes } = openSet()
    set.add(config('a'), dynamic)
    script('a').become(connected, ['one'])
    script('a').become(lost)
    script('a').become(connected, ['two'])
    expect(changes).toEqual(['a added', 'a connected one', 'a changed one', 'a connected two'])
  })

  test('that a strict server offers without configuration are reported once', () => {
    const { set, script, violations } = openSet()
    set.add(config('a'), strict)
    script('a').become(connected, ['known', 'other'])
    script('a').become(connected)
    expect([...set.admitted('a').keys()]).toEqual(['known'])
    expect(violations).toEqual(["a: Tool 'other' from MCP server 'a' is not configured in the toolbox."])
  })
})

describe('a server', () => {
  test('is unknown after it was removed, and a late event of it changes nothing', async () => {
    const { set, script, changes } = openSet()
    set.add(config('a'), dynamic)
    const old = script('a')
    const removed = set.remove('a')
    set.add(config('a'), dynamic)
    old.become(connected, ['one'])
    await removed
    expect(old.isDisposed()).toBe(true)
    expect([...set.admitted('a').keys()]).toEqual([])
    expect(changes).toEqual(['a added', 'a removed', 'a added'])
    await expect(set.remove('b')).rejects.toMatchObject({ code: 'mcp.unknown_server' })
  })

  test('has its own key, if two have the same name', () => {
    const { set } = openSet()
    set.add(config('a'), dynamic, 'file:a')
    set.add(config('a'), strict, 'stored')
    expect([...set.clients.keys()]).toEqual(['file:a', 'stored'])
    expect(set.policies.get('stored')).toBe(strict)
    expect(() => set.add(config('a'), dynamic, 'stored')).toThrow('There is already a server named')
  })

  test('that is added soon starts in a later turn of the event loop', async () => {
    const { set, changes } = openSet()
    set.addSoon(config('a'), dynamic)
    set.addSoon(config('b'), dynamic)
    await Promise.resolve()
    expect(changes).toEqual([])
    await nextTurn()
    expect(changes).toEqual(['a added', 'b added'])
  })

  test('that is added soon starts when the set is looked at', () => {
    const { set, changes } = openSet()
    set.addSoon(config('a'), dynamic)
    expect([...set.clients.keys()]).toEqual(['a'])
    set.addSoon(config('b'), dynamic)
    set.add(config('c'), dynamic)
    expect(changes).toEqual(['a added', 'b added', 'c added'])
    expect(() => set.addSoon(config('a'), dynamic)).toThrow('There is already a server named')
  })

  test('that is added soon has a name that no other may have', () => {
    const { set } = openSet()
    set.addSoon(config('a'), dynamic)
    for (const again of [set.addSoon, set.add])
      expect(() => again(config('a'), dynamic)).toThrow('There is already a server named')
  })

  test('that is added soon can be removed before it has started', async () => {
    const { set, script } = openSet()
    set.addSoon(config('a'), dynamic)
    await set.remove('a')
    expect(script('a').isDisposed()).toBe(true)
    await nextTurn()
    expect([...set.clients.keys()]).toEqual([])
  })

  test('that is added soon never starts if the set ends first', async () => {
    const { set, changes } = openSet()
    set.addSoon(config('a'), dynamic)
    await set[Symbol.asyncDispose]()
    await nextTurn()
    expect([changes, [...set.clients.keys()]]).toEqual([[], []])
  })

  test('that is added soon counts before it has started', async () => {
    const { set, script } = openSet()
    set.addSoon(config('a'), dynamic)
    let hasSettled = false
    const settled = Promise.all([set.settled(), set.ready()]).then(() => (hasSettled = true))
    await nextTurn()
    expect(hasSettled).toBe(false)
    script('a').become(lost)
    await settled
  })

  test('cannot be added after the end of the set, which ends all of them', async () => {
    const { set, script } = openSet()
    set.add(config('a'), dynamic)
    await set[Symbol.asyncDispose]()
    expect(script('a').isDisposed()).toBe(true)
    for (const add of [set.add, set.addSoon]) expect(() => add(config('b'), dynamic)).toThrow('closed')
  })
})

test('a set has settled when announced servers were added and all have connected or failed', async () => {
  const { set, script } = openSet()
  const announced = Promise.withResolvers<void>()
  set.announce(announced.promise)
  let hasSettled = false
  const settled = set.settled().then(() => (hasSettled = true))
  set.add(config('late'), dynamic)
  announced.resolve()
  await announced.promise
  expect(hasSettled).toBe(false)
  script('late').become(lost)
  await settled
})
