import { parseRule } from '../../../../packages/agent-api/src/policy/decision-rule.ts'
import { describe, expect, it } from 'vitest'
import {
  createJudge,
  pinOfTool,
  type JudgedServer,
  type JudgedTool,
  type Outcome,
} from '../../../../packages/workbench/src/judge/judge.ts'
import { agentFileSchema } from '../../../../packages/agent-api/src/config/agent-file-schema.ts'
import type { Grant } from '../../../../packages/agent-api/src/policy/approval.ts'

const definition = { name: 'write', description: 'Writes', inputSchema: { type: 'object' } }
const pin = { identity: 'i1', parts: { command: 'c1' } }
const work: JudgedServer = { name: 'work', origin: 'file', enabled: true, pin }
const stored: JudgedServer = {
  name: 'shelf',
  origin: 'stored',
  enabled: true,
  policy: { mode: 'dynamic', trusted: true },
  pin,
}
const session: JudgedServer = {
  name: 'extra',
  origin: 'session',
  enabled: true,
  pin: { identity: 'i1', parts: {} },
}
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
    ['a tool of a server', {}, toolOf(work), [], { verdict: 'ask', rule: parseRule('mode:always-ask') }],
    [
      'in the mode auto',
      { approval: { mode: 'auto' } },
      toolOf(work),
      [],
      { verdict: 'allow', rule: parseRule('mode:auto') },
    ],
    [
      'denied by its entry',
      listed({ approval: 'deny' }),
      toolOf(work),
      [],
      { verdict: 'deny', rule: parseRule('tool:deny'), source: 'toolbox.tools[0]' },
    ],
    [
      'an entry for another server',
      listed({ server: 'b', approval: 'deny' }),
      toolOf(work),
      [],
      { verdict: 'ask', rule: parseRule('mode:always-ask') },
    ],
    [
      'a default of its server',
      entry({ defaultToolConfig: { approval: 'allow' } }),
      toolOf(work),
      [],
      { rule: parseRule('tool:allow') },
    ],
    [
      'a strict server',
      entry({ mode: 'strict' }),
      toolOf(work),
      [],
      { verdict: 'off', rule: parseRule('server:strict') },
    ],
    [
      'a server that leaves it out',
      entry({ toolDenylist: ['wri*'] }),
      toolOf(work),
      [],
      { verdict: 'off', rule: parseRule('server:lists') },
    ],
    [
      'a strict server that lists it',
      { ...entry({ mode: 'strict' }), ...listed({}) },
      toolOf(work),
      [],
      { verdict: 'ask' },
    ],
    [
      'a server that is switched off',
      entry({ enabled: false }),
      toolOf(work),
      [],
      { verdict: 'off', rule: parseRule('server:disabled') },
    ],
    ['a stored server', {}, toolOf(stored), [], { verdict: 'ask' }],
    [
      'a stored server that is not chosen',
      { storedServers: 'none' },
      toolOf(stored),
      [],
      { verdict: 'off', rule: parseRule('server:not-chosen') },
    ],
    [
      'a disabled stored server',
      {},
      toolOf({ ...stored, enabled: false }),
      [],
      { verdict: 'off', rule: parseRule('server:disabled') },
    ],
    [
      'a stored server with the name of another',
      {},
      toolOf({ ...stored, name: 'work' }),
      [],
      { verdict: 'off', rule: parseRule('server:shadowed') },
    ],
    [
      'what a trusted server calls read-only',
      { approval: { mode: 'trusted-only' } },
      reads,
      [],
      { verdict: 'allow', rule: parseRule('trusted:read-only') },
    ],
    [
      'the same in read-only',
      { approval: { mode: 'read-only' } },
      reads,
      [],
      { verdict: 'allow', rule: parseRule('trusted:read-only') },
    ],
    [
      'anything else in read-only',
      { approval: { mode: 'read-only' } },
      toolOf(work),
      [],
      { verdict: 'deny', rule: parseRule('mode:read-only') },
    ],
    [
      'a trusted tool',
      { approval: { mode: 'trusted-only', trustedTools: ['work:*'] } },
      toolOf(work),
      [],
      { rule: parseRule('trusted:work:*') },
    ],
    [
      'a session server',
      { sessionServers: { approval: 'deny' } },
      toolOf(session),
      [],
      { verdict: 'deny', source: 'sessionServers.approval' },
    ],
    [
      'a strict session',
      { sessionServers: { mode: 'strict' } },
      toolOf(session),
      [],
      { verdict: 'off', rule: parseRule('server:strict') },
    ],
    [
      'a session that trusts nobody',
      { approval: { mode: 'trusted-only' } },
      toolOf(session, reads.definition),
      [],
      { verdict: 'ask' },
    ],
    [
      'an answer',
      {},
      toolOf(work),
      [grantFor(toolOf(work))],
      { verdict: 'allow', rule: parseRule('grant:allow') },
    ],
    [
      'an answer for a server that is open in another session',
      {},
      toolOf(session),
      [grantFor(toolOf(session))],
      { verdict: 'allow', rule: parseRule('grant:allow') },
    ],
    [
      'an answer for what it was before',
      {},
      toolOf(work, { description: 'Sends' }),
      [grantFor(toolOf(work))],
      { verdict: 'ask', rule: parseRule('pin:changed'), changes: ['its description'] },
    ],
    [
      'the same where the server is open in another session',
      {},
      toolOf(session, { description: 'Sends' }),
      [grantFor(toolOf(session))],
      { verdict: 'ask', rule: parseRule('pin:changed'), changes: ['its description'] },
    ],
    [
      'an answer that rejects',
      { approval: { mode: 'auto' } },
      toolOf(work),
      [grantFor(toolOf(work), { verdict: 'deny' })],
      { rule: parseRule('grant:deny') },
    ],
    ['reading', {}, builtin('read_file'), [], { verdict: 'allow', rule: parseRule('reads') }],
    ['writing', {}, builtin('write_file'), [], { verdict: 'ask', rule: parseRule('mode:always-ask') }],
    ['planning', {}, builtin('update_plan'), [], { verdict: 'allow', rule: parseRule('effect:none') }],
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
    [
      'a tool that there is not',
      {},
      builtin('constructor'),
      [],
      { verdict: 'off', rule: parseRule('unknown') },
    ],
  ])('%s', (_, file, tool, grants, outcome) => {
    expect(judged(file, tool, grants)).toMatchObject(outcome)
  })

  it('judges a command by what it does', () => {
    const words = { words: ['npm', 'test'], isExact: true, cwd: '/work' }
    const tool = builtin('run_command')
    const judge = createJudge(agentFileSchema.parse({}), [
      { ref: tool.ref, verdict: 'allow', scope: 'always', pin: pinOfTool(tool, []), command: words },
    ])
    expect(judge(tool, { effect: 'run', command: { line: 'npm test', cwd: '/work' } })).toEqual({
      verdict: 'allow',
      rule: parseRule('grant:command'),
    })
    expect(judge(tool, { effect: 'run', command: { line: 'npm test', cwd: '/other' } })).toMatchObject({
      verdict: 'ask',
    })
    expect(judge(tool, { effect: 'run', outside: ['/etc'] })).toEqual({
      verdict: 'ask',
      rule: parseRule('outside'),
    })
  })
})
