import { toText } from '../../../packages/agent-api/src/policy/decision-rule.ts'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { ApprovalMode } from '../../../packages/agent-api/src/policy/approval-mode.ts'
import type { PlanFacts } from '../../../packages/agent-api/src/policy/approval.ts'
import { askPerson, type ApprovalQuestion } from '../../../packages/agent-api/src/policy/question.ts'
import type { Answer } from '../../../packages/agent-api/src/messages/question.ts'
import { createGate, type GateQuestion } from '../../../packages/agent-api/src/policy/gate.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'

const pin = (definition: string) => ({ definition, identity: 'i', parts: { description: definition } })

function question(tool = 'write_file', definition = 'd'): GateQuestion {
  const ref = { server: 'files', tool }
  const facts = (name: string) => ({
    ref: { ...ref, tool: name },
    pin: pin(definition),
    isInternal: false,
    isTrustedRead: false,
  })
  return {
    kind: 'call',
    ref,
    args: {},
    facts: facts(tool),
    siblings: () => ['write_file', 'read_file'].map(facts),
    call: {
      id: 'call_1',
      ref,
      wireName: `files__${tool}`,
      title: `files: ${tool}`,
      kind: 'edit',
      rawInput: {},
      locations: [],
    },
  }
}
const live = new AbortController().signal

function gateWith(
  answer: ((question: ApprovalQuestion, signal: AbortSignal) => Promise<Answer>) | undefined,
  grants = openState().servers.grants('default'),
  mode = (): ApprovalMode => 'always-ask',
  hasSandbox = false,
) {
  const gate = createGate({
    mode,
    approval: { trustedTools: [], reads: 'allow' },
    hasSandbox,
    grants,
    ask: answer && ((question, signal) => askPerson({ ask: answer }, question, signal, silentLogger)),
    logger: silentLogger,
  })
  return {
    ...gate,
    pass: async (...given: Parameters<typeof gate.pass>) => {
      const { rule, ...answer } = await gate.pass(...given)
      return { ...answer, rule: toText(rule) }
    },
  }
}

describe('the gate', () => {
  it.each<[string, Answer, string, string]>([
    ['yes', { verdict: 'allow', scope: 'once' }, 'allow', 'person:allow-once'],
    ['no', { verdict: 'deny', scope: 'once' }, 'deny', 'person:deny-once'],
    ['neither', { verdict: 'cancelled' }, 'cancelled', 'person:cancelled'],
  ])('accepts a %s, and remembers nothing', async (_, answer, verdict, rule) => {
    const grants = openState().servers.grants('default')
    const gate = gateWith(async () => answer, grants)
    expect(await gate.pass(question(), live)).toEqual({ verdict, rule })
    expect(await gate.pass(question(), new AbortController().signal)).toEqual({ verdict, rule })
    expect(grants.list()).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'person:deny-once'],
    ['a word', 'allow', 'person:deny-once'],
    ['true', { verdict: true, scope: 'always' }, 'person:deny-once'],
    ['a yes without a scope', { verdict: 'allow' }, 'person:allow-once'],
    ['a yes with an unknown scope', { verdict: 'allow', scope: 'forever' }, 'person:allow-once'],
  ])('takes %s from a program literally, and asks the next question', async (_, answer, rule) => {
    const grants = openState().servers.grants('default')
    const gate = gateWith(async () => answer as Answer, grants)
    expect(await gate.pass(question(), live)).toMatchObject({ rule })
    expect(await gate.pass(question(), live)).toMatchObject({ rule })
    expect(grants.list()).toEqual([])
  })

  it.each<[string, object, object]>([
    ['count for this call', { inputSchema: {} }, { rule: 'person:allow-once', args: { path: 'b' } }],
    ['deny it where they cannot be changed', {}, { verdict: 'deny', rule: 'person:deny-once' }],
  ])('changed arguments %s', async (_, about, expected) => {
    const gate = gateWith(async () => ({ verdict: 'allow', scope: 'always', values: { path: 'b' } }))
    expect(await gate.pass({ ...question(), ...about }, live)).toMatchObject(expected)
    expect(gate.grants()).toEqual([])
  })

  it('remembers "this session" in the session, and "always" in the store', async () => {
    const grants = openState().servers.grants('default')
    const gate = gateWith(async () => ({ verdict: 'allow', scope: 'session' }), grants)
    await gate.pass(question(), live)
    expect(await gate.pass(question(), live)).toEqual({ verdict: 'allow', rule: 'grant:allow:session' })
    expect(grants.list()).toEqual([])

    await gateWith(async () => ({ verdict: 'allow', scope: 'always' }), grants).pass(question(), live)
    const elsewhere = gateWith(undefined, grants)
    expect(await elsewhere.pass(question(), live)).toEqual({ verdict: 'allow', rule: 'grant:allow' })
    expect(await elsewhere.pass(question('read_file'), live)).toMatchObject({
      verdict: 'deny',
      rule: 'no-approver',
    })
  })

  it('applies "this server" to the tools that the server has now, and to no other', async () => {
    const grants = openState().servers.grants('default')
    await gateWith(async () => ({ verdict: 'allow', scope: 'server' }), grants).pass(question(), live)
    const later = gateWith(undefined, grants)
    expect(await later.pass(question('read_file'), live)).toMatchObject({ verdict: 'allow' })
    expect(await later.pass(question('new_tool'), live)).toMatchObject({ verdict: 'deny' })
  })

  it('asks again when the tool has changed, and reports the changes', async () => {
    const grants = openState().servers.grants('default')
    await gateWith(async () => ({ verdict: 'allow', scope: 'always' }), grants).pass(question(), live)
    const asked: ApprovalQuestion[] = []
    const gate = gateWith(async (next) => {
      asked.push(next)
      return { verdict: 'allow', scope: 'always' }
    }, grants)
    await gate.pass(question('write_file', 'changed'), live)
    expect(asked).toMatchObject([{ changes: ['its description'] }])
    // The new grant replaces the old one.
    expect(await gate.pass(question('write_file', 'changed'), live)).toMatchObject({ rule: 'grant:allow' })
    expect(grants.list()).toHaveLength(1)
  })

  it('denies if no person can be asked', async () => {
    expect(await gateWith(undefined).pass(question(), live)).toEqual({ verdict: 'deny', rule: 'no-approver' })
    const unasked = gateWith(async () => ({ verdict: 'deny', scope: 'once', from: 'nobody' }))
    expect(await unasked.pass(question(), live)).toEqual({ verdict: 'deny', rule: 'no-approver' })
  })

  it('denies if asking fails', async () => {
    const gate = gateWith(() => Promise.reject(new Error('the editor is gone')))
    expect(await gate.pass(question(), live)).toEqual({ verdict: 'deny', rule: 'no-approver' })
  })

  it('ignores unreadable grants, and keeps an answer that cannot be stored for the session', async () => {
    const broken = () => {
      throw new Error('disk full')
    }
    let questions = 0
    const gate = gateWith(
      async () => {
        questions++
        return { verdict: 'allow', scope: 'always' }
      },
      { list: broken, definitionOf: broken, add: broken, revoke: broken },
    )
    expect(await gate.pass(question(), live)).toMatchObject({ verdict: 'allow', rule: 'person:allow-always' })
    expect(await gate.pass(question(), live)).toMatchObject({ verdict: 'allow', rule: 'grant:allow:session' })
    expect(questions).toBe(1)
  })

  it.each([
    ['stored', 'always'],
    ['of this session', 'session'],
  ] as const)(
    'shows what has changed since a grant that is %s was given, and never stores a secret',
    async (_, scope) => {
      const redactor = createRedactor()
      redactor.add('hush-hush-hush')
      const said: ApprovalQuestion[] = []
      const gate = gateWith(async (asked) => {
        said.push(asked)
        return { verdict: 'allow', scope }
      }, openState({ redactor }).servers.grants('default'))
      const withText = (description: string) => {
        const asked = question('write_file', description)
        return {
          ...asked,
          facts: { ...asked.facts, definition: { description, inputSchema: { type: 'object' } } },
        }
      }
      await gate.pass(withText('It writes a file. Its key is hush-hush-hush.'), live)
      await gate.pass(withText('It writes a file. It sends it elsewhere.'), live)
      expect(said[0]).not.toHaveProperty('difference', expect.anything())
      expect(said[1]?.difference).toContain('   It writes a file.\n')
      expect(said[1]?.difference).toContain('+  It sends it elsewhere.')
      if (scope === 'always') expect(said[1]?.difference).not.toContain('hush')
    },
  )

  it('says so when the earlier definition was not kept', async () => {
    const grants = openState().servers.grants('default')
    let last: ApprovalQuestion | undefined
    const gate = gateWith(async (asked) => {
      last = asked
      return { verdict: 'allow', scope: 'always' }
    }, grants)
    await gate.pass(question(), live)
    const changed = question('write_file', 'd2')
    await gate.pass(
      { ...changed, facts: { ...changed.facts, definition: { description: 'd2', inputSchema: {} } } },
      live,
    )
    expect(last).toMatchObject({ changes: ['its description'], difference: null })
  })

  it('asks one at a time, and "always" answers those that wait', async () => {
    const asked: ApprovalQuestion[] = []
    const gate = gateWith(async (next) => {
      asked.push(next)
      await new Promise((resolve) => setImmediate(resolve))
      return { verdict: 'allow', scope: 'session' }
    })
    const answers = await Promise.all([1, 2, 3].map(() => gate.pass(question(), live)))
    expect(asked).toHaveLength(1)
    expect(answers.map(({ rule }) => rule)).toEqual([
      'person:allow-session',
      'grant:allow:session',
      'grant:allow:session',
    ])
  })

  it('a cancelled question also cancels those of the same step that wait, and no others', async () => {
    let asked = 0
    const gate = gateWith(async () => {
      asked++
      return { verdict: 'cancelled' }
    })
    const step = new AbortController().signal
    const answers = await Promise.all([step, step, live].map((signal) => gate.pass(question(), signal)))
    expect(answers.map(({ rule }) => rule)).toEqual([
      'person:cancelled',
      'turn:cancelled',
      'person:cancelled',
    ])
    expect(asked).toBe(2)
  })

  it('continues when the turn is cancelled and the person never answers', async () => {
    const controller = new AbortController()
    const gate = gateWith(() => new Promise(() => {}))
    const passing = [gate.pass(question(), controller.signal), gate.pass(question(), controller.signal)]
    controller.abort()
    expect((await Promise.all(passing)).map(({ verdict }) => verdict)).toEqual(['cancelled', 'cancelled'])
  })

  it('follows a changed mode', async () => {
    let mode: ApprovalMode = 'always-ask'
    const gate = gateWith(undefined, undefined, () => mode)
    expect(await gate.pass(question(), live)).toEqual({ verdict: 'deny', rule: 'no-approver' })
    mode = 'auto'
    expect(await gate.pass(question(), live)).toEqual({ verdict: 'allow', rule: 'mode:auto' })
  })

  it.each<[what: string, mode: ApprovalMode, hasSandbox: boolean, warnings: number]>([
    ['warns once in the mode auto', 'auto', false, 1],
    ['does not warn where commands have a sandbox', 'auto', true, 0],
    ['does not warn in another mode', 'always-ask', false, 0],
  ])('%s', async (_, mode, hasSandbox, warnings) => {
    const warned: (string | undefined)[] = []
    const gate = gateWith(
      async ({ warning }) => {
        warned.push(warning)
        return { verdict: 'allow', scope: 'once' }
      },
      undefined,
      () => mode,
      hasSandbox,
    )
    for (let count = 0; count < 2; count++) {
      const asked = question()
      await gate.pass({ ...asked, facts: { ...asked.facts, approval: 'ask' } }, live)
    }
    expect(warned).toHaveLength(2)
    expect(warned.filter((text) => text?.includes('without a sandbox'))).toHaveLength(warnings)
    expect(warned.at(-1)).toBeUndefined()
  })

  describe('asks about what a call would do', () => {
    const ref = { server: null, tool: 'a_tool' }
    const planned = (plan: PlanFacts): GateQuestion => {
      const facts = { ref, pin: pin('d'), isInternal: false, isTrustedRead: false, plan }
      return { ...question(), ref, facts, siblings: () => [facts] }
    }
    const run = (line: string) => planned({ effect: 'run', command: { line, cwd: '/p' } })
    const answering = (answer: Answer) => {
      const asked: ApprovalQuestion[] = []
      const grants = openState().servers.grants('default')
      const gate = gateWith(async (next) => {
        asked.push(next)
        return answer
      }, grants)
      return {
        asked,
        grants,
        pass: async (next: GateQuestion) => (await gate.pass(next, new AbortController().signal)).rule,
      }
    }

    it.each(['always', 'server'] as const)('"%s" for a command is stored for that command', async (scope) => {
      const { asked, grants, pass } = answering({ verdict: 'allow', scope })
      expect(await pass(run('npm test'))).toBe(`person:allow-${scope}`)
      expect(asked[0]?.lasting).toEqual({
        type: 'command',
        command: { words: ['npm', 'test'], isExact: true, cwd: '/p' },
      })
      expect(await pass(run('npm  test'))).toBe('grant:command')
      expect(await pass(run('npm publish'))).toBe(`person:allow-${scope}`)
      expect(grants.list().map(({ command }) => command?.words)).toEqual([
        ['npm', 'test'],
        ['npm', 'publish'],
      ])
      expect(asked).toHaveLength(2)
    })

    it('"session" for a command is remembered in the session', async () => {
      const { asked, grants, pass } = answering({ verdict: 'allow', scope: 'session' })
      await pass(run('git status'))
      expect(await pass(run('git status --short'))).toBe('grant:command:session')
      expect(asked).toHaveLength(1)
      expect(grants.list()).toEqual([])
    })

    it.each<[string, PlanFacts]>([
      ['two commands', { effect: 'run', command: { line: 'npm test; npm publish', cwd: '/p' } }],
      [
        'a command outside',
        { effect: 'run', command: { line: 'npm test', cwd: '/q' }, outside: ['/q'], outsideFolder: '/q' },
      ],
      ['a file of secrets', { effect: 'read', sensitive: ['/p/.env'] }],
      ['paths in several folders outside', { effect: 'read', outside: ['/q/a', '/r/b'] }],
    ])('"always" for %s counts once', async (_, plan) => {
      const { asked, grants, pass } = answering({ verdict: 'allow', scope: 'always' })
      expect([await pass(planned(plan)), await pass(planned(plan))]).toEqual([
        'person:allow-once',
        'person:allow-once',
      ])
      expect(asked.map(({ lasting }) => lasting.type)).toEqual(['nothing', 'nothing'])
      expect(grants.list()).toEqual([])
    })

    it('"always reject" for a command counts once', async () => {
      const { grants, pass } = answering({ verdict: 'deny', scope: 'always' })
      expect([await pass(run('npm test')), await pass(run('npm test'))]).toEqual([
        'person:deny-once',
        'person:deny-once',
      ])
      expect(grants.list()).toEqual([])
    })

    it('a folder outside is allowed for the session only, whatever the answer', async () => {
      const { asked, grants, pass } = answering({ verdict: 'allow', scope: 'always' })
      const read = (folder: string) =>
        planned({ effect: 'read', outside: [`${folder}/a`], outsideFolder: folder })
      await pass(read('/q'))
      expect(await pass(read('/q/sub'))).toBe('grant:folder')
      expect(await pass(read('/qq'))).toBe('person:allow-always')
      expect(asked).toHaveLength(2)
      expect(grants.list()).toEqual([])
    })
  })
})
