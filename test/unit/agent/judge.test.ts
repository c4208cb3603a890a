import { describe, expect, it } from 'vitest'
import { createJudge, pinOfTool, type JudgedServer, type JudgedTool, type Outcome } from '../../../packages/agent-api/src/agent/judge.ts'
import { agentFileSchema } from '../../../packages/agent-api/src/config/agent-file-schema.ts'
import type { Grant } from '../../../packages/agent-api/src/policy/approval.ts'

const definition = { name: 'write', description: 'Writes', inputSchema: { type: 'object' } }
const pin = { identity: 'i1', parts: { command: 'c1' } }
const work: JudgedServer = { name: 'work', origin: 'file', enabled: true, pin }
const stored: JudgedServer = { name: 'shelf', origin: 'stored', enabled: true, policy: { mode: 'dynamic', trusted: true }, pin }
const session: JudgedServer = { name: 'extra', origin: 'session', enabled: true, pin: { identity: 'i1', parts: {} } }
const toolOf = (server: JudgedServer, over: object = {}): JudgedTool => ({
  ref: { server: server.name, tool: 'write' },
  server,
  definition: { ...definition, ...over },
})
const builtin = (tool: string): JudgedTool => ({ ref: { server: null, tool } })
const grantFor = (tool: JudgedTool, over: Partial<Grant> = {}): Grant => ({
  ref: tool.ref,
  verdict: 'allow',
  scope: 'always',
  pin: pinOfTool({ ...tool, server: tool.server && { ...tool.server, pin } }, []),
  ...over,
})
const entry = (fields: object = {}) => ({
  mcpServers: { work: { type: 'stdio', command: 'x', mode: 'dynamic', defaultToolConfig: {}, ...fields } },
})
const listed = (fields: object) => ({ toolbox: { tools: [{ name: 'write', ...fields }] } })

const judged = (file: object, tool: JudgedTool, grants: readonly Grant[] = []): Outcome =>
  createJudge(agentFileSchema.parse({ ...entry(), ...file }), grants)(tool)

describe('the judge', () => {
  const reads = toolOf(stored, { annotations: { readOnlyHint: true } })
  it.each<[string, object, JudgedTool, readonly Grant[], Partial<Outcome>]>([
    ['a tool of a server', {}, toolOf(work), [], { verdict: 'ask', rule: 'mode:always-ask' }],
    ['in the mode auto', { approval: { mode: 'auto' } }, toolOf(work), [], { verdict: 'allow', rule: 'mode:auto' }],
    [
      'denied by its entry',
      listed({ approval: 'deny' }),
      toolOf(work),
      [],
      { verdict: 'deny', rule: 'tool:deny', source: 'toolbox.tools[0]' },
    ],
    [
      'an entry for another server',
      listed({ server: 'b', approval: 'deny' }),
      toolOf(work),
      [],
      { verdict: 'ask', rule: 'mode:always-ask' },
    ],
    ['a default of its server', entry({ defaultToolConfig: { approval: 'allow' } }), toolOf(work), [], { rule: 'tool:allow' }],
    ['a strict server', entry({ mode: 'strict' }), toolOf(work), [], { verdict: 'off', rule: 'server:strict' }],
    ['a server that leaves it out', entry({ toolDenylist: ['wri*'] }), toolOf(work), [], { verdict: 'off', rule: 'server:lists' }],
    ['a strict server that lists it', { ...entry({ mode: 'strict' }), ...listed({}) }, toolOf(work), [], { verdict: 'ask' }],
    ['a server that is switched off', entry({ enabled: false }), toolOf(work), [], { verdict: 'off', rule: 'server:disabled' }],
    ['a stored server', {}, toolOf(stored), [], { verdict: 'ask' }],
    ['a stored server that is not chosen', { storedServers: 'none' }, toolOf(stored), [], { verdict: 'off', rule: 'server:not-chosen' }],
    ['a disabled stored server', {}, toolOf({ ...stored, enabled: false }), [], { verdict: 'off', rule: 'server:disabled' }],
    ['a stored server with the name of another', {}, toolOf({ ...stored, name: 'work' }), [], { verdict: 'off', rule: 'server:shadowed' }],
    [
      'what a trusted server calls read-only',
      { approval: { mode: 'trusted-only' } },
      reads,
      [],
      { verdict: 'allow', rule: 'trusted:read-only' },
    ],
    ['the same in read-only', { approval: { mode: 'read-only' } }, reads, [], { verdict: 'allow', rule: 'trusted:read-only' }],
    ['anything else in read-only', { approval: { mode: 'read-only' } }, toolOf(work), [], { verdict: 'deny', rule: 'mode:read-only' }],
    ['a trusted tool', { approval: { mode: 'trusted-only', trustedTools: ['work:*'] } }, toolOf(work), [], { rule: 'trusted:work:*' }],
    [
      'a session server',
      { sessionServers: { approval: 'deny' } },
      toolOf(session),
      [],
      { verdict: 'deny', source: 'sessionServers.approval' },
    ],
    ['a strict session', { sessionServers: { mode: 'strict' } }, toolOf(session), [], { verdict: 'off', rule: 'server:strict' }],
    ['a session that trusts nobody', { approval: { mode: 'trusted-only' } }, toolOf(session, reads.definition), [], { verdict: 'ask' }],
    ['an answer', {}, toolOf(work), [grantFor(toolOf(work))], { verdict: 'allow', rule: 'grant:allow' }],
    [
      'an answer for a server that is open elsewhere',
      {},
      toolOf(session),
      [grantFor(toolOf(session))],
      { verdict: 'allow', rule: 'grant:allow' },
    ],
    [
      'an answer for what it was before',
      {},
      toolOf(work, { description: 'Sends' }),
      [grantFor(toolOf(work))],
      { verdict: 'ask', rule: 'pin:changed', changes: ['its description'] },
    ],
    [
      'the same where the server is open elsewhere',
      {},
      toolOf(session, { description: 'Sends' }),
      [grantFor(toolOf(session))],
      { verdict: 'ask', rule: 'pin:changed', changes: ['its description'] },
    ],
    [
      'an answer that rejects',
      { approval: { mode: 'auto' } },
      toolOf(work),
      [grantFor(toolOf(work), { verdict: 'deny' })],
      { rule: 'grant:deny' },
    ],
    ['reading', {}, builtin('read_file'), [], { verdict: 'allow', rule: 'reads' }],
    ['writing', {}, builtin('write_file'), [], { verdict: 'ask', rule: 'mode:always-ask' }],
    ['planning', {}, builtin('update_plan'), [], { verdict: 'allow', rule: 'effect:none' }],
    [
      'a tool that is switched off',
      { tools: { run_command: false } },
      builtin('run_command'),
      [],
      { verdict: 'off', source: 'tools.run_command' },
    ],
    [
      'a built-in tool that is denied',
      { tools: { write_file: { approval: 'deny' } } },
      builtin('write_file'),
      [],
      { source: 'tools.write_file' },
    ],
    ['a tool that there is not', {}, builtin('constructor'), [], { verdict: 'off', rule: 'unknown' }],
  ])('%s', (_, file, tool, grants, outcome) => {
    expect(judged(file, tool, grants)).toMatchObject(outcome)
  })

  it('judges a command by what it does', () => {
    const words = { words: ['npm', 'test'], isExact: true, cwd: '/work' }
    const tool = builtin('run_command')
    const judge = createJudge(agentFileSchema.parse({}), [
      { ref: tool.ref, verdict: 'allow', scope: 'always', pin: pinOfTool(tool, []), command: words },
    ])
    expect(judge(tool, { effect: 'run', command: { line: 'npm test', cwd: '/work' } })).toEqual({ verdict: 'allow', rule: 'grant:command' })
    expect(judge(tool, { effect: 'run', command: { line: 'npm test', cwd: '/other' } })).toMatchObject({ verdict: 'ask' })
    expect(judge(tool, { effect: 'run', outside: ['/etc'] })).toEqual({ verdict: 'ask', rule: 'outside' })
  })
})
