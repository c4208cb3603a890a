import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/logger.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../../../packages/agent-api/src/policy/approver.ts'
import { createGate, type GateQuestion } from '../../../packages/agent-api/src/policy/gate.ts'

const ref = { server: 'files', tool: 'write_file' }
const question: GateQuestion = {
  ref,
  args: {},
  isQuestion: false,
  call: { id: 'call_1', ref, wireName: 'files__write_file', title: 'files: write_file', kind: 'edit', rawInput: {}, locations: [] },
}
const live = new AbortController().signal

function gateWith(ask: Approver['ask'] | undefined) {
  return createGate({ mode: 'always-ask', approver: ask && { ask }, logger: silentLogger })
}

describe('the gate', () => {
  it.each<[string, ApprovalAnswer, string, string]>([
    ['yes', { verdict: 'allow', scope: 'once' }, 'allow', 'person:allow-once'],
    ['no', { verdict: 'deny', scope: 'once' }, 'deny', 'person:deny-once'],
    ['neither', { verdict: 'cancelled' }, 'cancelled', 'person:cancelled'],
  ])('takes a %s', async (_, answer, verdict, rule) => {
    expect(await gateWith(async () => answer).pass(question, live)).toEqual({ verdict, rule })
  })

  it('refuses where nobody can be asked', async () => {
    expect(await gateWith(undefined).pass(question, live)).toEqual({ verdict: 'deny', rule: 'no-approver' })
  })

  it('refuses when the question fails', async () => {
    const gate = gateWith(() => Promise.reject(new Error('the editor is gone')))
    expect(await gate.pass(question, live)).toMatchObject({ verdict: 'deny' })
  })

  it('asks one at a time, and "always" answers those that wait', async () => {
    const asked: ApprovalQuestion[] = []
    const gate = gateWith(async (next) => {
      asked.push(next)
      await new Promise((resolve) => setImmediate(resolve))
      return { verdict: 'allow', scope: 'session' }
    })
    const answers = await Promise.all([1, 2, 3].map(() => gate.pass(question, live)))
    expect(asked).toHaveLength(1)
    expect(answers.map(({ rule }) => rule)).toEqual(['person:allow-session', 'grant:allow-always', 'grant:allow-always'])
  })

  it('goes on when the turn is cancelled and the person never answers', async () => {
    const controller = new AbortController()
    const gate = gateWith(() => new Promise(() => {}))
    const passing = [gate.pass(question, controller.signal), gate.pass(question, controller.signal)]
    controller.abort()
    expect((await Promise.all(passing)).map(({ verdict }) => verdict)).toEqual(['cancelled', 'cancelled'])
  })

  it('follows a mode that changes', async () => {
    const gate = gateWith(undefined)
    gate.mode = 'auto'
    expect(await gate.pass(question, live)).toEqual({ verdict: 'allow', rule: 'mode:auto' })
  })
})
